"""The feeds and sitemaps of all sources, as a list."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any
from uuid import UUID

import asyncpg

from outrider.db.queries import Queries
from outrider.frontier.model import EntryKind
from outrider.sources.model import ChannelLine

_SQL = Queries.load("outrider.sources")


@dataclass(frozen=True, slots=True)
class ChannelFilter:
    """Which channels to list. None matches every channel."""

    kinds: Sequence[EntryKind] = (EntryKind.FEED, EntryKind.SITEMAP)
    search: str | None = None  # text in the address
    disabled: bool | None = None
    failing: bool | None = None  # the last poll failed
    candidate: bool | None = None  # found, and not proven by a poll
    due: bool | None = None  # its next poll is due


@dataclass(frozen=True, slots=True)
class ChannelCounts:
    """How many feeds and sitemaps there are of each kind that a page shows."""

    channels: int
    due: int
    failing: int
    disabled: int
    candidates: int


@dataclass(frozen=True, slots=True)
class ListedChannel:
    """A channel and its source."""

    channel: ChannelLine
    source_id: int
    source_public_id: UUID
    source_name: str


async def list_channels(
    db: asyncpg.Connection,
    wanted: ChannelFilter,
    source_id: int | None,
    after: int,
    limit: int,
    offset: int,
) -> list[ListedChannel]:
    """The channels after a number, by their numbers."""
    rows = await db.fetch(_SQL.list_channels, *_parameters(wanted, source_id), after, limit, offset)
    return [_listed(row) for row in rows]


async def count_channels(
    db: asyncpg.Connection, wanted: ChannelFilter, source_id: int | None, most: int
) -> int:
    """How many channels match, counted up to a bound."""
    total: int = await db.fetchval(_SQL.count_channels, *_parameters(wanted, source_id), most)
    return total


async def count_by_state(db: asyncpg.Connection, most: int) -> ChannelCounts:
    """The counts of the first `most` channels."""
    [row] = await db.fetch(_SQL.channel_counts, most)
    return ChannelCounts(**dict(row))


def _parameters(wanted: ChannelFilter, source_id: int | None) -> tuple[Any, ...]:
    kinds = [int(kind) for kind in wanted.kinds]
    return (
        source_id,
        kinds,
        wanted.search,
        wanted.disabled,
        wanted.failing,
        wanted.candidate,
        wanted.due,
    )


def _listed(row: Any) -> ListedChannel:
    known = {each.name: row[each.name] for each in fields(ChannelLine)}
    channel = ChannelLine(**known | {"kind": EntryKind(row["kind"])})
    return ListedChannel(channel, row["source_id"], row["source_public_id"], row["source_name"])
