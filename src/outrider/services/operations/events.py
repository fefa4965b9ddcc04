"""The use case of `GET /api/v1/events`: what happened after a position, for clients that poll (SSE-12)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import asyncpg

from outrider.events.catalogue import EventKind, type_of_kind
from outrider.events.log import read_events
from outrider.events.position import Position
from outrider.events.record import LoggedEvent
from outrider.services.paging import refuse_unknown
from outrider.services.positions import snapshot

MOST_EVENTS = 1_000
DEFAULT_EVENTS = 100

KIND_OF_TYPE = {kind.event_type: kind for kind in EventKind}


@dataclass(frozen=True, slots=True)
class ShownEvent:
    """An event, with the same values as in a stream: id, event and data."""

    position: str
    type: str  # such as `job:status`
    data: Mapping[str, Any]  # what happened, and `at`: when


@dataclass(frozen=True, slots=True)
class EventList:
    """Events in their order.

    `next` is the position after which to ask again. `reset`: events after the position are not kept any more,
    so load the state anew. `more`: ask again at once.
    """

    items: Sequence[ShownEvent]
    next: str
    reset: bool = False
    more: bool = False


async def list_events(
    db: asyncpg.Connection, after: str | None, types: Collection[str] = (), limit: int = DEFAULT_EVENTS
) -> EventList:
    """The events after a position; without one, none, and the position of now. Raises InvalidInput."""
    wanted = read_event_types(types)
    kinds = None if wanted is None else [KIND_OF_TYPE[name].value for name in wanted]
    since = None if after is None else Position.parse(after)
    async with snapshot(db) as position:
        if since is None:
            return EventList((), position)
        batch = await read_events(db, since, most=min(limit, MOST_EVENTS), kinds=kinds)
    shown = [shown_event(event) for event in batch.events]
    return EventList(shown, str(batch.position), not batch.is_kept, batch.is_full)


def read_event_types(types: Collection[str]) -> list[str] | None:
    """The types that lists with commas name; None for an empty list. Raises InvalidInput."""
    names = [name.strip() for each in types for name in each.split(",") if name.strip()]
    refuse_unknown("type", names, list(KIND_OF_TYPE))
    return names or None


def shown_event(event: LoggedEvent) -> ShownEvent:
    """An event in the form of streams and of the API."""
    data = {**event.payload, "subject_id": event.subject_id, "at": event.at.isoformat()}
    return ShownEvent(str(event.position), type_of_kind(event.kind), data)
