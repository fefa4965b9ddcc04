"""Crawl commands, which `outrider crawl` starts. They own URLs as a source does, but are not watched.

Functions of `store.py` never return a crawl command; functions of this file return nothing else.
"""

from collections.abc import Sequence
from hashlib import sha256

import asyncpg

from outrider.db.queries import Queries
from outrider.errors import Conflict
from outrider.sources.owners import OwnerKind, UrlOwner, owner_of_row, owners_with_pending_urls
from outrider.sources.policy import Policy

LONGEST_NAME = 500

_SQL = Queries.load("outrider.sources")


def crawl_name(seeds: Sequence[str]) -> str:
    """The name of a crawl of these seeds. The same seeds in any order are the same crawl."""
    unique = sorted(set(seeds))
    name = "crawl " + " ".join(unique)
    if len(name) <= LONGEST_NAME:
        return name
    # A name is an index key of limited size, and people do not read hundreds of addresses.
    digest = sha256(name.encode()).hexdigest()[:16]
    return f"crawl {unique[0][:LONGEST_NAME]} and {len(unique) - 1} more ({digest})"


async def ensure_crawl(db: asyncpg.Connection, name: str, policy: Policy) -> UrlOwner:
    """Create the crawl command of that name, or give it this policy.

    Raises Conflict if a watched source has the name.
    """
    row = await db.fetchrow(_SQL.ensure_crawl, name, policy.to_json(), policy.priority)
    if row is None:
        raise Conflict(f"a source is called {name!r}: rename it before you start this crawl")
    return owner_of_row(row)


async def unfinished_crawls(db: asyncpg.Connection) -> list[UrlOwner]:
    """Crawl commands that have URLs to fetch and are not held."""
    return [crawl for crawl in await owners_with_pending_urls(db, OwnerKind.CRAWL) if not crawl.held]
