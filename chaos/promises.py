"""What was promised, held against the web server's own log and the database."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import asyncpg
from chaos.stage import Stage
from tests.support.politeness import Visit, violations
from tests.support.web import Hit

_PAGES = """
SELECT u.url, u.fetches, u.q_at IS NOT NULL AS is_queued, d.versions, d.title, d.text IS NOT NULL AS is_read,
       (SELECT count(*)
          FROM fetch_log f
         WHERE f.host_id = u.host_id AND f.url_hash = u.url_hash AND f.outcome = 'fetched') AS noted,
       coalesce(h.requests, 0) > 0 AS is_tried
  FROM url u
  LEFT JOIN document d USING (host_id, url_hash)
  LEFT JOIN host_info h USING (host_id)
 WHERE u.kind = 0
"""

_IN_TABLES = """
SELECT (ARRAY['pending', 'fetched', 'dead', 'alias'])[url_state(q_at, redirect_hash, reason)] AS name,
       count(*)
  FROM url
 WHERE kind <> 1
 GROUP BY 1
UNION ALL
SELECT 'documents', count(*) FROM document
UNION ALL
SELECT 'pages', coalesce(sum(fetches), 0) FROM url WHERE kind = 0
UNION ALL
SELECT 'requests', count(*) FROM fetch_log
UNION ALL
SELECT 'bytes', coalesce(sum(wire_bytes), 0) FROM fetch_log
UNION ALL
SELECT 'requests in the books of hosts', count(*) FROM fetch_log
"""

_IN_COUNTERS = """
SELECT name, sum(value)::bigint AS count
  FROM counter
 WHERE name = ANY ($1)
 GROUP BY name
UNION ALL
SELECT 'requests in the books of hosts', sum(requests)::bigint FROM host_info
"""

_COUNTERS = ("pending", "fetched", "dead", "alias", "documents", "pages", "requests", "bytes")
_COUNTED = (*_COUNTERS, "requests in the books of hosts")


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a run kept its promises; all of `lost`, `double` and `early` are to be empty."""

    requests: int
    pages: int
    lost: Sequence[str]  # pages not stored as they are; and not to be had, but never tried or given up
    double: Sequence[str]  # effects that were counted or stored more than once, or not at all
    early: Sequence[str]  # requests that came too soon after another to the same host, or during it

    @property
    def is_clean(self) -> bool:
        return not (self.lost or self.double or self.early)

    def __str__(self) -> str:
        faults = [f"{len(found)} {name}: {list(found[:5])}" for name, found in self._named() if found]
        return f"{self.requests} requests, {self.pages} pages, " + ("; ".join(faults) or "all promises kept")

    def _named(self) -> list[tuple[str, Sequence[str]]]:
        return [("lost", self.lost), ("double", self.double), ("early", self.early)]


async def judge(
    stage: Stage,
    expected: Collection[str],
    delay_of: Callable[[str], float],
    *,
    unanswered: Collection[str] = (),
    beside: Sequence[Visit] = (),
) -> Verdict:
    """After a run: every expected page stored once and as it is, every counter right, every pause kept.

    What nobody answered was tried and waits in the queue still; `beside` is the log of servers other than the
    stage's web.
    """
    async with stage.run.database() as db:
        pages = {row["url"]: row for row in await db.fetch(_PAGES)}
        miscounted = await _miscounted(db)
    hits = stage.web.log()
    answered = Counter((hit.address, hit.path) for hit in hits if hit.status == 200)
    stored = {
        url
        for url in pages.keys() & set(expected)
        if pages[url]["title"] == stage.web.title(url) and pages[url]["is_read"]
    }
    twice = [
        f"{url}: {row['fetches']} fetches, {row['noted']} noted, {row['versions']} versions"
        for url, row in pages.items()
        if not row["fetches"] <= row["noted"] <= answered[_place_of(url)] or (row["versions"] or 1) > 1
    ]
    given_up = set(unanswered) - {url for url, row in pages.items() if row["is_queued"] and row["is_tried"]}
    return Verdict(
        requests=len(hits) + len(beside),
        pages=len(stored),
        lost=sorted(set(expected) - stored | given_up),
        double=[*twice, *miscounted],
        early=[str(found) for found in violations([*_seen_by(hits), *beside], delay_of)],
    )


async def _miscounted(db: asyncpg.Connection) -> list[str]:
    """Counters that do not say what the tables do."""
    held = {row["name"]: int(row["count"]) for row in await db.fetch(_IN_TABLES)}
    counted = {row["name"]: int(row["count"]) for row in await db.fetch(_IN_COUNTERS, list(_COUNTERS))}
    return [
        f"{name}: {counted.get(name, 0)} counted, {held.get(name, 0)} held"
        for name in _COUNTED
        if counted.get(name, 0) != held.get(name, 0)
    ]


def _place_of(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.hostname or "", parts.path


def _seen_by(hits: Sequence[Hit]) -> list[Hit]:
    """A request that was cut off before anything was asked is no request."""
    return [hit for hit in hits if hit.status != 400]
