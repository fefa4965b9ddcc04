"""What was promised, held against the web server's own log and the database."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import asyncpg
from chaos.faults import Strike
from chaos.in_vain import Answered, Place, Recorded, in_vain
from chaos.stage import Stage
from tests.support.politeness import violations
from tests.support.site import Asked
from tests.support.web import Hit

UNWRITTEN_MS = 3_000.0  # an answer is in the database by then, or something is wrong with it

_PAGES = """
SELECT u.url, u.fetches, u.next_fetch_at IS NOT NULL AS is_queued, d.versions, d.title,
       EXISTS (SELECT FROM document_text t WHERE t.text_id = d.text_id) AS is_read,
       (SELECT count(*)
          FROM fetch_log f
         WHERE f.host_id = u.host_id AND f.url_hash = u.url_hash AND f.outcome = 'fetched') AS noted,
       coalesce(h.requests, 0) > 0 AS is_tried
  FROM url u
  LEFT JOIN document d USING (host_id, url_hash)
  LEFT JOIN host_info h USING (host_id)
 WHERE u.kind = 0
"""

# A page that was fetched twice has the time of its last write in both lines.
_HISTORY = """
SELECT u.url, f.worker_id, extract(epoch FROM f.at)::float8 * 1000 AS ended_ms,
       extract(epoch FROM coalesce(u.last_fetch_at, 'infinity'))::float8 * 1000 AS written_ms
  FROM fetch_log f
  JOIN url u USING (host_id, url_hash)
"""

_IN_TABLES = """
SELECT (ARRAY['pending', 'fetched', 'dead', 'alias'])
         [url_state(next_fetch_at, redirect_hash, reason)] AS name,
       count(*)
  FROM url
 WHERE kind <> 1
 GROUP BY 1
UNION ALL
SELECT 'documents', count(*) FROM document WHERE unindexed IS NULL OR unindexed = 'quality_gate'
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
    strikes: Sequence[Strike] = (),
    unanswered: Collection[str] = (),
    beside: Sequence[Asked] = (),
) -> Verdict:
    """After a run: every expected page stored once and as it is, every counter right, every pause kept.

    `strikes` is what happened to it. What nobody answered was tried and waits in the queue still; `beside` is
    the log of servers other than the stage's web.
    """
    async with stage.run.database() as db:
        pages = {row["url"]: row for row in await db.fetch(_PAGES)}
        miscounted = await _miscounted(db)
        history = await _history(db, stage.clock.true_ms if stage.clock else lambda shown_ms: shown_ms)
    hits: list[Answered] = [*_seen_by(stage.web.log()), *beside]
    answers = _answers(hits)
    stored = {
        url
        for url in pages.keys() & set(expected)
        if pages[url]["title"] == stage.web.title(url) and pages[url]["is_read"]
    }
    twice = [
        f"{url}: {row['fetches']} fetches, {row['noted']} noted, {row['versions']} versions"
        for url, row in pages.items()
        if _is_double(row, answers.get(_place_of(url), ()), strikes)
    ]
    given_up = set(unanswered) - {url for url, row in pages.items() if row["is_queued"] and row["is_tried"]}
    return Verdict(
        requests=len(hits),
        pages=len(stored),
        lost=sorted(set(expected) - stored | given_up),
        double=[*twice, *miscounted],
        early=[
            *(str(found) for found in violations(hits, delay_of)),
            *(
                f"{hit.address}: {hit.path} while nothing could be written"
                for hit in in_vain(hits, strikes, history)
            ),
        ],
    )


def _is_double(row: asyncpg.Record, answers: Sequence[Answered], strikes: Sequence[Strike]) -> bool:
    """More on its account than was answered, or written down twice without need."""
    if not row["fetches"] <= row["noted"] <= len(answers) or (row["versions"] or 1) > 1:
        return True
    return row["noted"] > 1 and not was_passed_on(answers, strikes)


def was_passed_on(answers: Sequence[Answered], strikes: Sequence[Strike]) -> bool:
    """Was the page in the hands of somebody who lost its host before the answer was written?

    Only then may others have asked for it again; otherwise its host was given back too soon.
    """
    return any(
        strike.began_ms - UNWRITTEN_MS < answer.ended_ms < strike.over_ms + UNWRITTEN_MS
        for answer in answers
        for strike in strikes
        if strike.fault.costs_leases
    )


async def _history(
    db: asyncpg.Connection, true_ms: Callable[[float], float]
) -> Mapping[Place, Sequence[Recorded]]:
    """The requests that the database has, by their place."""
    found: dict[Place, list[Recorded]] = defaultdict(list)
    for row in await db.fetch(_HISTORY):
        recorded = Recorded(row["worker_id"], true_ms(row["ended_ms"]), true_ms(row["written_ms"]))
        found[_place_of(row["url"])].append(recorded)
    return found


async def _miscounted(db: asyncpg.Connection) -> list[str]:
    """Counters that do not say what the tables do."""
    held = {row["name"]: int(row["count"]) for row in await db.fetch(_IN_TABLES)}
    counted = {row["name"]: int(row["count"]) for row in await db.fetch(_IN_COUNTERS, list(_COUNTERS))}
    return [
        f"{name}: {counted.get(name, 0)} counted, {held.get(name, 0)} held"
        for name in _COUNTED
        if counted.get(name, 0) != held.get(name, 0)
    ]


def _answers(hits: Sequence[Answered]) -> Mapping[Place, Sequence[Answered]]:
    """The pages that were served, by their place."""
    found: dict[Place, list[Answered]] = defaultdict(list)
    for hit in hits:
        if hit.status == 200:
            found[hit.address, hit.path].append(hit)
    return found


def _place_of(url: str) -> Place:
    parts = urlsplit(url)
    return parts.hostname or "", parts.path


def _seen_by(hits: Sequence[Hit]) -> list[Hit]:
    """A request that was cut off before anything was asked is no request."""
    return [hit for hit in hits if hit.status != 400]
