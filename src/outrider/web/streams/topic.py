"""The newest frames of one feed, and the clients that read them (SSE-03). No I/O.

The clients pull: publishing stores the frames once and wakes the clients, and each takes what it has not
taken yet. So a client costs no copy, and the bound of a client is a number: how far it may be behind.
"""

from collections import deque
from collections.abc import Sequence
from itertools import islice
from typing import Any, Generic, TypeVar

from outrider.web.streams.client import StreamClient
from outrider.web.streams.frame import Frame

MOST_BUFFERED = 1_000  # frames of a topic
MOST_BEHIND = 100  # frames of a client

P = TypeVar("P", bound=tuple[Any, ...])


class Topic(Generic[P]):
    """Frames in the order of their positions, from after `start` up to `position`."""

    def __init__(self, position: P, *, most: int = MOST_BUFFERED, most_behind: int = MOST_BEHIND) -> None:
        self.start = position
        self.position = position
        self.is_ended = False
        self._frames: deque[Frame[P]] = deque()
        self._most = most
        self._most_behind = most_behind
        self._next = 0  # the number of the next frame
        self._clients: set[StreamClient] = set()

    @property
    def clients(self) -> int:
        return len(self._clients)

    def publish(self, frames: Sequence[Frame[P]], position: P) -> int:
        """Add frames and wake the clients; drops those that are too far behind, and returns how many."""
        self._frames.extend(frames)
        while len(self._frames) > self._most:
            self.start = self._frames.popleft().position
        self._next += len(frames)
        self.position = max(self.position, position)
        slow = [client for client in self._clients if self._next - client.cursor > self._most_behind]
        for client in slow:
            self.leave(client)
            client.drop()
        for client in self._clients:
            client.wake()
        return len(slow)

    def restart(self, frame: Frame[P]) -> None:
        """Forget the frames: positions begin anew. The clients get this one frame, which says so."""
        self._frames.clear()
        self._frames.append(frame)
        self._next += 1
        self.start = self.position = frame.position
        for client in self._clients:
            client.cursor, client.after, client.backlog = self._next - 1, None, []
            client.wake()

    def end(self) -> None:
        """Nothing follows."""
        self.is_ended = True
        for client in self._clients:
            client.wake()

    def join(self, client: StreamClient, after: P, *, is_known: bool) -> bool:
        """Add a client that has seen everything up to `after`; False if the topic does not reach back so far.

        `is_known`: the database has this position. A position beyond the newest frame is refused until then:
        another process may have read further, or the position may be made up.
        """
        if after[0] != self.position[0] or after < self.start or (after > self.position and not is_known):
            return False
        self._add(client, [frame for frame in self._frames if frame.position > after])
        client.after = after if after > self.position else None
        return True

    def join_last(self, client: StreamClient, last: int) -> P:
        """Add a client that wants the last so many frames first; returns the position before them."""
        skipped = max(0, len(self._frames) - last)
        self._add(client, list(islice(self._frames, skipped, None)))
        if skipped == 0:
            return self.start
        return self._frames[skipped - 1].position

    def leave(self, client: StreamClient) -> None:
        client.has_joined = False
        self._clients.discard(client)

    def drop_all(self) -> None:
        """Disconnect every client: the feed has failed, and they come back."""
        for client in tuple(self._clients):
            self.leave(client)
            client.drop()

    def take(self, client: StreamClient) -> bytes:
        """What the client has not taken yet, in one piece."""
        frames, client.backlog = client.backlog, []
        count = self._next - client.cursor
        frames += [self._frames[place] for place in range(-count, 0)]
        client.cursor = self._next
        taken = client.selected(frames)
        if client.after is not None and self.position >= client.after:
            client.after = None
        return taken

    def _add(self, client: StreamClient, backlog: list[Frame[P]]) -> None:
        client.backlog, client.cursor, client.after = backlog, self._next, None
        client.has_joined = True
        self._clients.add(client)
