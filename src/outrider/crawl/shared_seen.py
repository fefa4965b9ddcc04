"""The confirmed URLs of all workers, shared through Redis, so that each URL is looked up by one worker only.

A hit proves as much as one in `SeenUrls`. Keys are stored after the commit, under the lineage of the database
that their transaction read (`FrontierStore.begin_flush`). A transaction uses them only when it reads the
same lineage: no row was deleted in between. A miss costs a look-up, nothing else, so while Redis is away or
slow every worker uses its own set only.

There are two halves, as in `SeenUrls`: the young half becomes the old half when it is full or half the
lifetime is over. So no key outlives its lifetime, and the keys never expire all at once.
"""

import asyncio
import time
from collections.abc import Sequence
from importlib.resources import files

from outrider.errors import Misconfigured, Unavailable
from outrider.frontier.model import NO_RUN, KnownUrl, Submission
from outrider.logs import get_logger
from outrider.redis.connect import asking, connect
from outrider.redis.options import RedisOptions
from outrider.urls import UrlKey

log = get_logger()

PREFIX = "crawler:visited_urls"
PATIENCE_S = 0.5  # for one answer, including the connect; a flush waits for it
FIRST_PAUSE_S = 5.0
LONGEST_PAUSE_S = 160.0
WORTH_ASKING = 50  # links to look up or to store; a round trip costs as much as twenty look-ups
MOST_ASKED = 5_000  # links of one batch; the database looks up the rest
HALF = 1_000_000  # keys, which take about 54 MB

_SCRIPT = files(__package__).joinpath("shared_seen.lua").read_text(encoding="utf-8")


class UnconfirmedLinks:
    """Removes the links of one batch that a worker has confirmed already."""

    def __init__(
        self, links: Sequence[Submission], lineage: str | None = None, known: frozenset[UrlKey] = frozenset()
    ) -> None:
        self._links = links
        self._lineage_asked = lineage
        self._known = known
        self.lineage: str | None = None  # of the latest transaction
        self.unconfirmed: Sequence[Submission] = ()

    def links_for(self, lineage: str) -> Sequence[Submission]:
        """The links that a transaction with this lineage must ingest."""
        self.lineage = lineage
        known = self._known if lineage == self._lineage_asked else ()
        self.unconfirmed = [link for link in self._links if link.key not in known]
        return self.unconfirmed


class SharedSeen:
    """One for each worker. When Redis fails, a flush gets no exception and no long wait."""

    def __init__(self, options: RedisOptions, lifetime_s: float, *, half: int = HALF) -> None:
        self._address = options.address
        self._client = connect(options, connect_s=PATIENCE_S, answer_s=PATIENCE_S, tries=1)
        self._limits = (int(lifetime_s), half)
        self._lineage: str | None = None  # of the last committed batch
        self._unstored: list[Submission] = []  # confirmed, and not yet in Redis
        self._pause_s = 0.0  # 0 while Redis answers
        self._again_at = 0.0
        self._asked = self._known = self._failures = 0

    async def filter_for(self, links: Sequence[Submission]) -> UnconfirmedLinks:
        """Look up the links of a batch and store earlier confirmed ones, in one round trip or none."""
        asked = [link for link in links if link.seen][:MOST_ASKED]
        if self._lineage is None or len(asked) + len(self._unstored) < WORTH_ASKING:
            return UnconfirmedLinks(links)
        known = await self._exchange(self._lineage, asked)
        self._known += len(known)
        return UnconfirmedLinks(links, self._lineage, known)

    async def confirm(self, link_filter: UnconfirmedLinks) -> None:
        """The transaction of a filter was committed: the links that it ingested are confirmed."""
        if link_filter.lineage is None:
            return
        before, self._lineage = self._lineage, link_filter.lineage
        if before is not None and before != link_filter.lineage:
            self._unstored.clear()
            await self._call("UNLINK", *_halves(before))
        self._unstored += [link for link in link_filter.unconfirmed if link.seen][:MOST_ASKED]

    async def store(self, lineage: str, known: Sequence[KnownUrl]) -> None:
        """Store URLs that the database has; raises Unavailable while Redis is away."""
        stored = [part for url in known for part in (_key(url.source_id, NO_RUN, url.key), url.priority)]
        with asking(self._address):
            await self._client.execute_command(  # type: ignore[no-untyped-call]
                "EVAL", _SCRIPT, 2, *_halves(lineage), *self._limits, len(known), *stored
            )

    async def close(self) -> None:
        """Store the last confirmed URLs and close the connection."""
        if self._lineage is not None and self._unstored:
            await self._exchange(self._lineage, [])
        await self._client.aclose()

    def figures(self) -> dict[str, object]:
        """Counters for the heartbeat of the worker."""
        return {
            "shared_asked": self._asked,
            "shared_known": self._known,
            "shared_failures": self._failures,
            "shared_away": self._pause_s > 0,
        }

    async def _exchange(self, lineage: str, asked: Sequence[Submission]) -> frozenset[UrlKey]:
        """Store the confirmed links; returns the keys of those asked that are known at their priority."""
        confirmed, self._unstored = self._unstored, []
        stored = [
            part
            for link in confirmed
            for part in (_key(link.source_id, link.run_id, link.key), link.priority)
        ]
        keys = (2, *_halves(lineage))
        priorities = await self._call(
            "EVAL",
            _SCRIPT,
            *keys,
            *self._limits,
            len(confirmed),
            *stored,
            *(_key(link.source_id, link.run_id, link.key) for link in asked),
        )
        if priorities is None:
            return frozenset()
        self._asked += len(asked)
        answered = zip(asked, priorities, strict=True)
        return frozenset(link.key for link, best in answered if best >= link.priority)

    async def _call(self, *command: str | bytes | int) -> list[int] | None:
        """The answer of Redis, or None while Redis is away."""
        if time.monotonic() < self._again_at:
            return None
        try:
            with asking(self._address):
                async with asyncio.timeout(PATIENCE_S):
                    answer: list[int] = await self._client.execute_command(*command)  # type: ignore[no-untyped-call]
        except (Unavailable, Misconfigured) as error:
            self._pause(error)
            return None
        if self._pause_s:
            self._pause_s = 0.0
            log.info("visited URLs are shared again")
        return answer

    def _pause(self, error: Exception) -> None:
        """Stop using Redis for a while; log it once."""
        self._failures += 1
        if not self._pause_s:
            log.warning("visited URLs are not shared: each worker remembers its own", error=str(error))
        self._pause_s = min(max(2 * self._pause_s, FIRST_PAUSE_S), LONGEST_PAUSE_S)
        self._again_at = time.monotonic() + self._pause_s


def _halves(lineage: str) -> tuple[str, str]:
    return f"{PREFIX}:{lineage}:young", f"{PREFIX}:{lineage}:old"


def _key(source_id: int, run_id: int, key: UrlKey) -> bytes:
    """Source, run and address: a URL that is queued for one source or run may still be new for another."""
    return source_id.to_bytes(4) + run_id.to_bytes(4) + bytes.fromhex(key.hash)
