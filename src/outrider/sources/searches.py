"""Schedules the searches of sites for feeds and sitemaps, and stores their results."""

from collections.abc import Sequence
from dataclasses import dataclass

import asyncpg

from outrider.db.queries import Queries
from outrider.sources.policy import policy_of_row

_SQL = Queries.load("outrider.sources")


@dataclass(frozen=True, slots=True)
class DueSearch:
    """A source whose site is to be searched now."""

    source_id: int
    name: str
    url: str
    may_follow_links: bool  # FED-24: if the search finds nothing


async def claim_search(db: asyncpg.Connection, retry_s: float) -> DueSearch | None:
    """The source that has waited longest for a search; None when none is due.

    A source whose search found nothing is due again after `retry_s`.
    """
    row = await db.fetchrow(_SQL.claim_search, retry_s)
    if row is None:
        return None
    policy = policy_of_row(row)
    return DueSearch(row["source_id"], row["name"], row["url"], policy.spider_without_feed)


async def postpone_search(db: asyncpg.Connection, source_id: int, retry_s: float) -> None:
    """Search the site in an hour: its host was busy, and the site did not fail."""
    await db.execute(_SQL.postpone_search, source_id, retry_s)


async def record_search(
    db: asyncpg.Connection, source_id: int, notes: Sequence[str], *, has_answered: bool
) -> None:
    """Store the notes of a search. An answer resets the search errors of the site."""
    await db.execute(_SQL.record_search, source_id, has_answered, list(notes))


async def follow_links_instead(db: asyncpg.Connection, source_id: int) -> str | None:
    """Change a source from mode feed to mode spider; returns its address, or None if it has another mode."""
    url: str | None = await db.fetchval(_SQL.follow_links_instead, source_id)
    return url
