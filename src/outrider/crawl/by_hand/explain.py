"""Everything we know about one address, gathered from wherever it is kept. Reads only, bounded."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import asyncpg

from outrider.crawl.admission.filters import skip
from outrider.crawl.admission.traps import TrapOptions, is_trap_shape, template_of
from outrider.crawl.plan import Plan
from outrider.db.queries import Queries
from outrider.documents.store import DocumentStore
from outrider.errors import InvalidInput
from outrider.frontier.model import ORIGINS, History, Kind, State
from outrider.frontier.redirect_hops import SeenRedirect, redirects_of
from outrider.frontier.stats import StatsStore, Wanted
from outrider.hosts.store import HostStore, HostView
from outrider.robots import AGENT, Verdict
from outrider.robots.files import StoredFile, files_of_host
from outrider.sources.owners import all_owners
from outrider.urls import host_of, key_of, origin_of

LONGEST_WAY = 20
MOST_HISTORY = 20
MOST_CRAWLS = 20


@dataclass(frozen=True, slots=True)
class Known:
    """An entry as people think of it."""

    state: str  # pending, fetched, dead or alias
    kind: str
    source: str | None
    origin: str
    depth: int
    priority: int
    is_held: bool
    discovered_at: datetime
    last_fetch_at: datetime | None
    next_fetch_at: datetime | None
    fetches: int
    attempts: int
    status: int | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Ancestor:
    """A page, or a redirect, that led here."""

    url: str
    depth: int
    origin: str
    is_redirect: bool


@dataclass(frozen=True, slots=True)
class Wish:
    """Whether a crawl of this database would take the address, and if not, why not."""

    crawl: str
    refusal: str | None


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the stored robots.txt says about the address."""

    file: StoredFile
    verdict: Verdict
    delay_s: float | None


@dataclass(frozen=True, slots=True)
class Kept:
    """The document behind the address."""

    title: str | None
    words: int
    bytes: int
    language: str | None
    content_type: str | None
    fetched_at: datetime
    changed_at: datetime
    versions: int
    etag: str | None
    last_modified: str | None
    noindex: bool
    duplicate_of: str | None
    is_near_duplicate: bool
    canonical_url: str | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """The answer to "why": None and empty where nothing is known."""

    url: str
    known: Known | None
    host: HostView | None
    ruling: Ruling | None
    document: Kept | None = None
    way_here: Sequence[Ancestor] = field(default_factory=tuple)  # nearest first, the seed last
    way_on: Sequence[str] = field(default_factory=tuple)  # where it moved, redirect by redirect
    history: Sequence[History] = field(default_factory=tuple)  # newest first
    redirects: Sequence[SeenRedirect] = field(default_factory=tuple)  # that were met there, newest first
    wishes: Sequence[Wish] = field(default_factory=tuple)  # only for an address that is not known
    wanted_by: Sequence[Wanted] = field(default_factory=tuple)  # only where several sources want it

    @property
    def unconfirmed(self) -> SeenRedirect | None:
        """The redirect that a page which is kept gave last, while nobody knows whether it is for good."""
        known = self.known
        if known is None or known.state not in ("fetched", "pending"):
            return None
        if self.document is None or not self.redirects:
            return None
        last = self.redirects[0]
        was_last_answer = known.status == last.status and last.last_seen_at > self.document.fetched_at
        return last if was_last_answer else None


async def explain(db: asyncpg.Connection, url: str, *, depth_cap: int, traps: TrapOptions) -> Explanation:
    """All there is to say about a normalised URL."""
    sql = Queries.load("outrider.crawl.by_hand")
    key = key_of(url)
    row = await StatsStore().find(db, key)
    ruling = _ruling(url, await files_of_host(db, key.host_id))
    host = await HostStore().find(db, host_of(url))
    if row is None:
        template = template_of(url)
        is_barren = template is not None and bool(await db.fetchval(sql.is_barren, key.host_id, template))
        return Explanation(
            url, None, host, ruling, wishes=await _wishes(db, url, depth_cap, traps, is_barren)
        )
    here = await db.fetch(sql.way_here, key.host_id, key.hash, LONGEST_WAY)
    on = await db.fetch(sql.way_on, key.host_id, key.hash, LONGEST_WAY)
    return Explanation(
        url,
        _known(row),
        host,
        ruling,
        document=_kept(await DocumentStore().find(db, key)),
        way_here=[Ancestor(a["url"], a["depth"], ORIGINS[a["origin"]].value, a["is_redirect"]) for a in here],
        way_on=[target["url"] for target in on],
        history=await StatsStore().history(db, key, MOST_HISTORY),
        wanted_by=await StatsStore().wanted_by(db, key),
        redirects=await redirects_of(db, key),
    )


def refusal_in_words(url: str, plan: Plan, traps: TrapOptions, *, is_barren: bool) -> str | None:
    """Why a crawl does not want an address, in a sentence for people."""
    if (refusal := plan.scope.refusal(url)) is not None:
        return refusal
    if (looks := skip(url, content_filter=plan.policy.content_filter)) is not None:
        return f"left out by its looks: {looks.value}"
    if (shape := is_trap_shape(url, traps)) is not None:
        return f"taken for a trap: {shape}"
    if is_barren:
        return f"its family {template_of(url)} stopped yielding anything new"
    return None


async def _wishes(
    db: asyncpg.Connection, url: str, depth_cap: int, traps: TrapOptions, is_barren: bool
) -> list[Wish]:
    wishes = []
    for source in (await all_owners(db))[-MOST_CRAWLS:]:
        if not source.policy.seeds:
            continue  # a source without seeds follows no links
        try:
            plan = Plan.of(source, depth_cap)
        except InvalidInput as error:
            wishes.append(Wish(source.name, str(error)))
        else:
            wishes.append(Wish(source.name, refusal_in_words(url, plan, traps, is_barren=is_barren)))
    return wishes


def _ruling(url: str, files: Sequence[StoredFile]) -> Ruling | None:
    for file in files:
        if file.origin == origin_of(url):
            rules = file.rules
            return Ruling(file, rules.verdict(AGENT, url), rules.crawl_delay(AGENT))
    return None


def _known(row: Any) -> Known:
    return Known(
        state=State(row["state"]).name.lower(),
        kind=Kind(row["kind"]).name.lower(),
        source=row["source"],
        origin=ORIGINS[row["origin"]].value,
        depth=row["depth"],
        priority=abs(row["prio"]),
        is_held=row["prio"] < 0,
        discovered_at=row["discovered_at"],
        last_fetch_at=row["last_fetch_at"],
        next_fetch_at=row["q_at"],
        fetches=row["fetches"],
        attempts=row["attempts"],
        status=row["http_status"],
        reason=row["reason"],
    )


def _kept(row: Any | None) -> Kept | None:
    if row is None:
        return None
    return Kept(
        title=row["title"],
        words=row["words"],
        bytes=row["bytes"],
        language=row["language"],
        content_type=row["content_type"],
        fetched_at=row["fetched_at"],
        changed_at=row["changed_at"],
        versions=row["versions"],
        etag=row["etag"],
        last_modified=row["last_modified"],
        noindex=row["noindex"],
        duplicate_of=row["duplicate_of"],
        is_near_duplicate=row["near_duplicate"],
        canonical_url=row["canonical_url"],
    )
