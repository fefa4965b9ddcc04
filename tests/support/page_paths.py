"""The address of every page of the dashboard, with the ids of a filled database."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

import asyncpg

FOR_ALL = (
    "/overview",
    "/frontier",
    "/frontier?status=dead",
    "/frontier?search=no-such-address",
    "/pages",
    "/hosts",
    "/sources",
    "/sources?search=no-such-source",
    "/feeds",
    "/discovered",
    "/discovered/links",
    "/jobs",
    "/jobs?state=paused",
    "/runs",
    "/scheduler",
    "/workers",
    "/health-report",
    "/settings",
    "/tokens",
    "/account",
    "/search?q=harbour",
    "/search?q=nothing-like-it",
)
FOR_ADMINS = (
    "/users",
    "/audit",
    "/frontier/submit",
    "/jobs/new",
    "/runs/new",
    "/scheduler/rebalance",
    "/sources/new",
    "/sources/import",
)


@dataclass(frozen=True, slots=True)
class PagePaths:
    """The pages by who may see them."""

    admin: Sequence[str]
    user: Sequence[str]
    anonymous: Sequence[str] = ("/login",)


async def find_paths(dsn: str) -> PagePaths:
    """The paths of a database that the demo filled."""
    db = await asyncpg.connect(dsn)
    try:
        job = await db.fetchval("SELECT public_id FROM job ORDER BY job_id LIMIT 1")
        run = await db.fetchval("SELECT public_id FROM run ORDER BY run_id DESC LIMIT 1")
        source = await db.fetchval("SELECT public_id FROM source WHERE name = 'Harbour Gazette'")
        fetched, dead = [
            await db.fetchval("SELECT url FROM url_frontier WHERE status = $1 ORDER BY url LIMIT 1", state)
            for state in ("fetched", "dead")
        ]
        page = await db.fetchval(
            "SELECT host_id || ':' || replace(url_hash::text, '-', '') "
            "FROM document ORDER BY fetched_at LIMIT 1"
        )
        domain = await db.fetchval("SELECT domain FROM discovered_link ORDER BY domain LIMIT 1")
    finally:
        await db.close()
    details = [
        f"/jobs/{job}",
        f"/runs/{run}",
        f"/sources/{source}",
        f"/urls?url={quote(fetched, safe='')}",
        f"/urls?url={quote(dead, safe='')}",
        f"/pages/{page}",
        "/hosts/harbour-gazette.test",
        "/hosts/football-pages.test",
    ]
    if domain:
        details.append(f"/discovered/domains/{domain}")
    changes = [f"/jobs/{job}/edit", f"/sources/{source}/edit", f"/sources/{source}/selectors"]
    return PagePaths((*FOR_ALL, *FOR_ADMINS, *details, *changes), (*FOR_ALL, *details))
