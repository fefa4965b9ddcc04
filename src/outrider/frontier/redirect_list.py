"""Lists of redirects that were met: moves, chains and loops. Only bounded reads."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import asyncpg

from outrider.db.queries import Queries
from outrider.frontier.dead_reason import DeadReason
from outrider.urls import UrlKey

LONGEST_SHOWN = 20  # redirects of a chain
EXAMINED_AT_ONCE = 2_000  # entries
LOOPS = (DeadReason.REDIRECT_LOOP, DeadReason.TOO_MANY_REDIRECTS)

_SQL = Queries.load("outrider.frontier")


class RedirectKind(StrEnum):
    """Which redirects to list."""

    PERMANENT = "permanent"  # every answer was 301 or 308, and the entry is an alias now
    CHAIN = "chain"  # two redirects or more
    LOOP = "loop"  # they never end


@dataclass(frozen=True, slots=True)
class RedirectChain:
    """An entry that answers with a redirect, and where it leads."""

    id: UrlKey
    url: str
    host: str | None
    chain: Sequence[str]  # the URLs that it leads to, redirect by redirect
    statuses: Sequence[int]  # of its own answers, the latest first
    is_permanent: bool
    is_loop: bool
    first_seen_at: datetime | None
    last_seen_at: datetime | None
    times: int


async def list_redirects(
    db: asyncpg.Connection, kind: RedirectKind | None, host_id: int | None, after: UrlKey, limit: int
) -> tuple[list[RedirectChain], UrlKey | None]:
    """Redirects behind a key, and the key to continue after if there are more entries to examine."""
    if kind is RedirectKind.LOOP:
        rows = await db.fetch(_SQL.list_redirect_loops, host_id, list(LOOPS), *after, limit + 1)
        stopped_at = None
    else:
        permanent, chain = kind is RedirectKind.PERMANENT, kind is RedirectKind.CHAIN
        rows = await db.fetch(
            _SQL.list_redirects, host_id, permanent, chain, *after, limit + 1, EXAMINED_AT_ONCE
        )
        stopped_at = await db.fetchrow(_SQL.last_examined_redirect, host_id, *after, EXAMINED_AT_ONCE)
    shown = rows[:limit]
    chains = await _chains(db, [_key(row) for row in shown])
    found = [_chain(row, chains.get(place, [])) for place, row in enumerate(shown, 1)]
    if len(rows) > limit:
        return found, _key(shown[-1])
    return found, None if stopped_at is None else _key(stopped_at)


async def _chains(db: asyncpg.Connection, keys: Sequence[UrlKey]) -> dict[int, list[str]]:
    chains: dict[int, list[str]] = {}
    hosts, hashes = [key.host_id for key in keys], [key.hash for key in keys]
    for row in await db.fetch(_SQL.chains_of_urls, hosts, hashes, LONGEST_SHOWN):
        chains.setdefault(row["place"], []).append(row["url"])
    return chains


def _chain(row: Any, chain: Sequence[str]) -> RedirectChain:
    return RedirectChain(
        id=_key(row),
        url=row["url"],
        host=row["host"],
        chain=chain,
        statuses=row["statuses"],
        is_permanent=row["is_permanent"],
        is_loop=row["reason"] in LOOPS,
        first_seen_at=row["first_seen_at"],
        last_seen_at=row["last_seen_at"],
        times=row["times"],
    )


def _key(row: Any) -> UrlKey:
    return UrlKey(row["host_id"], row["url_hash"].hex)
