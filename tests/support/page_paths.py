"""The address of every page of the dashboard, with the ids of a filled database."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

import asyncpg

from outrider.services.demo.owned_site import NAME as DEMO_SITE

FOR_ALL: Sequence[str] = (
    "/overview",
    "/alerts",
    "/alerts?state=closed&kind=stale_locks",
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
    "/sites",
    *(f"/sites/{DEMO_SITE}?tab={tab}" for tab in ("redirects", "broken", "links")),
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
    "/jobs/bulk/confirm?verb=pause&selected=1",
    "/hosts/confirm?what=block&selected=harbour-gazette.test",
    "/hosts/confirm?what=reset&selected=harbour-gazette.test",
    "/frontier/confirm?what=clear&host=harbour-gazette.test",
    f"/sites/{DEMO_SITE}?tab=create",
    f"/sites/{DEMO_SITE}/remove",
)
NOT_PAGES = (  # redirects, downloads and fragments
    "/",
    "/runs/{run_id}/log",
    "/search/suggest",
    "/sites/{id}/export",
    "/sources/export",
)
_AN_ADDRESS = """
SELECT url FROM url_frontier WHERE status = $1 AND url NOT LIKE '%/robots.txt' ORDER BY url LIMIT 1
"""
# Two pages get the text of another one as their earlier version.
_CHANGE_A_PAGE = """
WITH earlier AS (
  INSERT INTO document_version (host_id, url_hash, version, fetched_at, content_hash, title, text_id)
  SELECT d.host_id, d.url_hash, 1, d.first_seen_at, o.content_hash, o.title, copied_text(o.text_id)
    FROM (SELECT * FROM document WHERE text_id IS NOT NULL AND versions = 1 ORDER BY url_hash LIMIT 2) d,
         LATERAL (SELECT * FROM document WHERE text_id IS NOT NULL AND url_hash > d.url_hash LIMIT 1) o
  RETURNING host_id, url_hash)
UPDATE document d SET versions = 2 FROM earlier e WHERE (d.host_id, d.url_hash) = (e.host_id, e.url_hash)
"""


@dataclass(frozen=True, slots=True)
class PagePaths:
    """The pages by who may see them."""

    admin: Sequence[str]
    user: Sequence[str]
    anonymous: Sequence[str] = ("/login", "/setup", "/setup?code=not-the-code")

    @property
    def all(self) -> Sequence[str]:
        return (*self.admin, *self.user, *self.anonymous)


async def find_paths(dsn: str) -> PagePaths:
    """The paths of a database that the demo filled."""
    db = await asyncpg.connect(dsn)
    try:
        job = await db.fetchval("SELECT public_id FROM job ORDER BY job_id LIMIT 1")
        run = await db.fetchval("SELECT public_id FROM run ORDER BY run_id DESC LIMIT 1")
        source = await db.fetchval("SELECT public_id FROM source WHERE name = 'Harbour Gazette'")
        fetched, dead = [await db.fetchval(_AN_ADDRESS, state) for state in ("fetched", "dead")]
        page = await db.fetchval(
            "SELECT host_id || ':' || replace(url_hash::text, '-', '') "
            "FROM document ORDER BY fetched_at LIMIT 1"
        )
        domain = await db.fetchval("SELECT domain FROM discovered_link ORDER BY domain LIMIT 1")
        link = await db.fetchval(
            "SELECT concat(source_id, ':', host_id, ':', replace(url_hash::text, '-', ''))"
            " FROM discovered_link LIMIT 1"
        )
        site_link = await db.fetchval("SELECT min(link_id) FROM site_link")
        await db.execute(_CHANGE_A_PAGE)
        changed = await db.fetchrow(
            "SELECT host_id || ':' || replace(url_hash::text, '-', '') AS key, url"
            " FROM document JOIN url USING (host_id, url_hash) WHERE versions > 1 ORDER BY url LIMIT 1"
        )
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
    details += [
        f"/discovered/domains/{domain}",
        f"/pages/{changed['key']}/diff?from=1&to=2",
        f"/pages/{changed['key']}?tab=versions",
        f"/pages/{changed['key']}?tab=metadata",
        f"/pages/{changed['key']}?tab=links",
        f"/pages/{changed['key']}?tab=incoming",
        f"/urls/diff?url={quote(changed['url'], safe='')}&from=1&to=2",
        f"/urls?url={quote(changed['url'], safe='')}&tab=links",
        f"/sites/{DEMO_SITE}/links/{site_link}",
    ]
    changes = [
        f"/jobs/{job}/edit",
        f"/runs/{run}/cancel",
        f"/sources/{source}/edit",
        f"/sources/{source}/selectors",
        f"/sources/bulk/confirm?verb=disable&selected={source}",
        f"/discovered/confirm?verb=ignore&selected={domain}",
        f"/discovered/promote?named={domain}",
        f"/discovered/links/confirm?verb=ignore&selected={link}",
    ]
    return PagePaths((*FOR_ALL, *FOR_ADMINS, *details, *changes), (*FOR_ALL, *details))
