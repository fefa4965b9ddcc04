"""What the workers of a fleet have confirmed, shared through Valkey: what one looked up, another need not.

A hit proves as much as one in `Seen`. Keys are filed after the commit, under the lineage of the database
that their transaction found (`FrontierStore.begin_flush`), and believed only by a transaction that finds the
same one: no row can have gone since. A miss costs a look-up, nothing else, so while Valkey is away or slow
every worker remembers for itself.

There are two halves, as in `Seen`: the young one becomes the old one when it is full or half the lifetime is
over. So no key outlives its lifetime, and never are all forgotten together.
"""

import asyncio
import time
from collections.abc import Sequence
from importlib.resources import files

from outrider.errors import Misconfigured, Unavailable
from outrider.frontier.model import KnownUrl, Submission
from outrider.logs import get_logger
from outrider.redis.connect import asking, connect
from outrider.redis.options import RedisOptions
from outrider.urls import UrlKey

log = get_logger()

PREFIX = "crawler:visited_urls"
PATIENCE_S = 0.5  # for one answer, with the connection where there is none: a flush waits for it
FIRST_PAUSE_S = 5.0
LONGEST_PAUSE_S = 160.0
WORTH_ASKING = 50  # links to ask about or to file; a round trip costs as much as twenty look-ups
MOST_ASKED = 5_000  # links of one batch; the database takes the rest
HALF = 1_000_000  # keys, which take about 54 MB

_SCRIPT = files(__package__).joinpath("shared_seen.lua").read_text(encoding="utf-8")


class Sieve:
    """Holds back those links of one batch that somebody has confirmed already."""

    def __init__(
        self, links: Sequence[Submission], lineage: str | None = None, known: frozenset[UrlKey] = frozenset()
    ) -> None:
        self._links = links
        self._asked_of = lineage
        self._known = known
        self.lineage: str | None = None  # that the latest transaction found
        self.through: Sequence[Submission] = ()

    def sift(self, lineage: str) -> Sequence[Submission]:
        """What must be ingested by a transaction that has found this lineage."""
        self.lineage = lineage
        held_back = self._known if lineage == self._asked_of else ()
        self.through = [link for link in self._links if link.key not in held_back]
        return self.through


class SharedSeen:
    """One for each worker. Whatever happens to Valkey, nothing is raised and no flush waits for long."""

    def __init__(self, options: RedisOptions, lifetime_s: float, *, half: int = HALF) -> None:
        self._address = options.address
        self._client = connect(options, connect_s=PATIENCE_S, answer_s=PATIENCE_S, tries=1)
        self._limits = (int(lifetime_s), half)
        self._lineage: str | None = None  # as far as we know
        self._unfiled: list[Submission] = []  # confirmed lately
        self._pause_s = 0.0  # since Valkey failed us
        self._again_at = 0.0
        self._asked = self._known = self._failures = 0

    async def sieve(self, links: Sequence[Submission]) -> Sieve:
        """Ask about the links of a batch and file what those before confirmed, in one round trip or none."""
        asked = [link for link in links if link.seen][:MOST_ASKED]
        if self._lineage is None or len(asked) + len(self._unfiled) < WORTH_ASKING:
            return Sieve(links)
        known = await self._exchange(self._lineage, asked)
        self._known += len(known)
        return Sieve(links, self._lineage, known)

    async def confirm(self, sieve: Sieve) -> None:
        """Its transaction was committed: what it let through is known from now on."""
        if sieve.lineage is None:
            return
        before, self._lineage = self._lineage, sieve.lineage
        if before is not None and before != sieve.lineage:
            self._unfiled.clear()
            await self._call("UNLINK", *_halves(before))
        self._unfiled += [link for link in sieve.through if link.seen][:MOST_ASKED]

    async def file(self, lineage: str, known: Sequence[KnownUrl]) -> None:
        """Remember URLs that the database has; raises Unavailable while Redis does not take them."""
        filed = [part for url in known for part in (_key(url.source_id, url.key), url.priority)]
        with asking(self._address):
            await self._client.execute_command(  # type: ignore[no-untyped-call]
                "EVAL", _SCRIPT, 2, *_halves(lineage), *self._limits, len(known), *filed
            )

    async def close(self) -> None:
        """File the last ones, and hang up."""
        if self._lineage is not None and self._unfiled:
            await self._exchange(self._lineage, [])
        await self._client.aclose()

    def figures(self) -> dict[str, object]:
        """What the worker says of it with every heartbeat."""
        return {
            "shared_asked": self._asked,
            "shared_known": self._known,
            "shared_failures": self._failures,
            "shared_away": self._pause_s > 0,
        }

    async def _exchange(self, lineage: str, asked: Sequence[Submission]) -> frozenset[UrlKey]:
        """The keys of those links that are known at their priority or better."""
        confirmed, self._unfiled = self._unfiled, []
        filed = [part for link in confirmed for part in (_key(link.source_id, link.key), link.priority)]
        keys = (2, *_halves(lineage))
        said = await self._call(
            "EVAL",
            _SCRIPT,
            *keys,
            *self._limits,
            len(confirmed),
            *filed,
            *(_key(link.source_id, link.key) for link in asked),
        )
        if said is None:
            return frozenset()
        self._asked += len(asked)
        return frozenset(link.key for link, best in zip(asked, said, strict=True) if best >= link.priority)

    async def _call(self, *command: str | bytes | int) -> list[int] | None:
        """The answer, or None where none is to be had."""
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
        """Remember for ourselves; say so once, and try again after a while."""
        self._failures += 1
        if not self._pause_s:
            log.warning("visited URLs are not shared: each worker remembers its own", error=str(error))
        self._pause_s = min(max(2 * self._pause_s, FIRST_PAUSE_S), LONGEST_PAUSE_S)
        self._again_at = time.monotonic() + self._pause_s


def _halves(lineage: str) -> tuple[str, str]:
    return f"{PREFIX}:{lineage}:young", f"{PREFIX}:{lineage}:old"


def _key(source_id: int, key: UrlKey) -> bytes:
    """Source and address: what one source has asked for another may still have to."""
    return source_id.to_bytes(4) + bytes.fromhex(key.hash)
