"""The path of pages that led to a URL, and the targets of its redirects. Only reads, with bounds."""

from dataclasses import dataclass

import asyncpg

from outrider.db.queries import Queries
from outrider.frontier.model import ORIGIN_CODE, ORIGINS, UrlOrigin
from outrider.urls import UrlKey

LONGEST_PATH = 20

_SQL = Queries.load("outrider.frontier")


@dataclass(frozen=True, slots=True)
class Referrer:
    """A page, or a redirect, that led to an address."""

    url: str
    depth: int
    origin: str
    is_redirect: bool


async def referrers_of(db: asyncpg.Connection, key: UrlKey) -> list[Referrer]:
    """The pages on the path to an address, the nearest first and the seed last."""
    rows = await db.fetch(_SQL.referrers_of_url, key.host_id, key.hash, LONGEST_PATH)
    return [
        Referrer(row["url"], row["depth"], ORIGINS[row["origin"]].value, row["is_redirect"]) for row in rows
    ]


async def redirect_targets_of(db: asyncpg.Connection, key: UrlKey) -> list[str]:
    """The addresses that an alias leads to, redirect by redirect."""
    rows = await db.fetch(_SQL.redirect_targets_of_url, key.host_id, key.hash, LONGEST_PATH)
    return [row["url"] for row in rows]


async def pages_of_host(db: asyncpg.Connection, host_id: int, limit: int) -> list[str]:
    """Addresses of pages of a host that answered, the latest first, then those that only a sitemap lists."""
    listed = ORIGIN_CODE[UrlOrigin.SITEMAP]
    return [row["url"] for row in await db.fetch(_SQL.pages_of_host, host_id, limit, listed)]
