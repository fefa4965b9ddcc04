"""How clients follow a feed: what they missed from the database, the rest from the topic."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from outrider.web.streams.client import StreamClient
from outrider.web.streams.frame import Frame, reset
from outrider.web.streams.topic import MOST_BEHIND, Topic

P = TypeVar("P", bound=tuple[Any, ...])

SLICE = MOST_BEHIND // 2  # frames published at once: a burst must not look like a slow client
PACE_S = 0.005  # between two slices
BEHIND_S = 0.1  # a topic that is behind the database is asked again after this time


@dataclass(frozen=True, slots=True)
class FeedPage(Generic[P]):
    """Frames of one read, and the position from which to continue; see `EventBatch` and `LogBatch`."""

    frames: Sequence[Frame[P]]
    position: P
    is_kept: bool = True
    is_ended: bool = False  # nothing comes after `position`


class StreamFeed(Protocol[P]):
    """Follows one source and publishes its frames in a topic."""

    @property
    def topic(self) -> Topic[P]: ...

    async def read(self, after: P) -> FeedPage[P]:
        """The frames after a position, from the database."""


async def publish(topic: Topic[P], frames: Sequence[Frame[P]], position: P) -> int:
    """Publish frames in slices, with a pause after each in which clients send; returns how many it dropped.

    The pause depends on no client: a slow one is dropped.
    """
    dropped = 0
    for place in range(0, len(frames), SLICE):
        part = frames[place : place + SLICE]
        dropped += topic.publish(part, part[-1].position)
        await asyncio.sleep(PACE_S if place + SLICE < len(frames) else 0)
    return dropped + topic.publish((), position)


async def catch_up(feed: StreamFeed[P], client: StreamClient, after: P) -> AsyncGenerator[bytes, None]:
    """Everything after a position up to where the topic takes over; the client has joined it then.

    A log that ends before is sent to its end, and the client has joined nothing.
    """
    is_known = False
    while not feed.topic.join(client, after, is_known=is_known):
        page = await feed.read(after)
        if not page.is_kept:
            yield reset(page.position)
        elif page.frames:
            yield client.selected(page.frames)
        elif is_known and not page.is_ended:
            await asyncio.sleep(BEHIND_S)
        after, is_known = page.position, True
        if page.is_ended or client.is_closing:
            return


async def follow_topic(topic: Topic[P], client: StreamClient) -> AsyncGenerator[bytes, None]:
    """What is published, for a client that has joined, and heartbeats; ends with the topic or the client."""
    try:
        while not client.is_dropped:
            if chunk := topic.take(client):
                yield chunk
                continue
            if client.is_closing or topic.is_ended:
                return
            yield client.take_heartbeat()
            await client.wait()
    finally:
        topic.leave(client)
