"""The redirects of entries: written with the results of visits, read before the next decision."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import NamedTuple

import asyncpg

from outrider.db.queries import Queries
from outrider.urls import UrlKey

LONGEST_URL = 2_000  # characters stored of a redirect target
MOST_HOPS = 50  # read for one entry

_SQL = Queries.load("outrider.frontier")


class HopNote(NamedTuple):
    """One redirect in a visit of an entry. `ended` is on the worker's monotonic clock."""

    key: UrlKey
    from_url: str
    to_url: str
    status: int
    ended: float


@dataclass(frozen=True, slots=True)
class SeenRedirect:
    """A redirect of an entry, and when it was seen."""

    to_url: str
    status: int
    first_seen_at: datetime
    last_seen_at: datetime
    times: int


@dataclass(frozen=True, slots=True)
class PageRedirects:
    """The redirects of a URL since it last answered with a page; `now` is the time of the database."""

    now: datetime
    seen: Sequence[SeenRedirect] = ()

    @property
    def times(self) -> int:
        return sum(each.times for each in self.seen)


async def note_hops(db: asyncpg.Connection, notes: Sequence[HopNote]) -> None:
    """Record redirects. Repeated redirects share one row."""
    if not notes:
        return
    now = time.monotonic()
    rows: dict[tuple[UrlKey, str], list[HopNote]] = {}
    for note in notes:
        rows.setdefault((note.key, _hop_id(note)), []).append(note)
    await db.execute(
        _SQL.record_hops,
        [key.host_id for key, _ in rows],
        [key.hash for key, _ in rows],
        [hop for _, hop in rows],
        [same[0].status for same in rows.values()],
        [same[0].from_url[:LONGEST_URL] for same in rows.values()],
        [same[0].to_url[:LONGEST_URL] for same in rows.values()],
        [max(now - same[0].ended, 0.0) for same in rows.values()],
        [max(now - same[-1].ended, 0.0) for same in rows.values()],
        [len(same) for same in rows.values()],
    )


async def redirects_since_page(db: asyncpg.Connection, key: UrlKey) -> PageRedirects | None:
    """The redirects of a URL since its last page; None when it has never answered with a page."""
    rows = await db.fetch(_SQL.redirects_since_page, key.host_id, key.hash, MOST_HOPS)
    if not rows:
        return None
    seen = [_seen(row) for row in rows if row["to_url"] is not None]
    return PageRedirects(rows[0]["now"], seen)


async def redirects_of(db: asyncpg.Connection, key: UrlKey) -> list[SeenRedirect]:
    """The stored redirects of an entry, newest first."""
    return [_seen(row) for row in await db.fetch(_SQL.redirects_of_entry, key.host_id, key.hash, MOST_HOPS)]


def _seen(row: asyncpg.Record) -> SeenRedirect:
    return SeenRedirect(row["to_url"], row["status"], row["first_seen_at"], row["last_seen_at"], row["times"])


def _hop_id(note: HopNote) -> str:
    text = f"{note.status} {note.from_url} {note.to_url}"
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
