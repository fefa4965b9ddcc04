"""The use case of `outrider why`: everything that is known about one URL. Only bounded reads."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any

import asyncpg

from outrider.crawl.admission.filters import skip
from outrider.crawl.admission.traps import TrapOptions, is_trap_shape, template_of
from outrider.crawl.plan import CrawlPlan
from outrider.documents.store import DocumentStore
from outrider.errors import InvalidInput
from outrider.frontier.model import ORIGINS, EntryKind, SourceInterest, State
from outrider.frontier.paths import redirect_targets_of, referrers_of
from outrider.frontier.redirect_hops import redirects_of
from outrider.frontier.stats import StatsStore
from outrider.hosts.store import HostStore
from outrider.robots import AGENT
from outrider.robots.files import StoredFile, files_of_host
from outrider.services.urls.explanation import (
    CrawlVerdict,
    DocumentFacts,
    EntryFacts,
    ExplainedUrl,
    Explanation,
    InterestedSource,
    RobotsRuling,
)
from outrider.services.urls.words import conclusion, next_time
from outrider.sources.owners import all_owners, owner_names
from outrider.urls import host_of, key_of, normalize, origin_of, url_hash
from outrider.urls.typed import address_of, steps_of

MOST_HISTORY = 20
MOST_CRAWLS = 20


async def explain_url(
    db: asyncpg.Connection, given: str, *, depth_cap: int, traps: TrapOptions, now: datetime
) -> ExplainedUrl:
    """What happened to a URL and what happens next; raises InvalidUrl.

    `known` is None for a URL that the frontier does not have.
    """
    url, steps = normalize(address_of(given)), steps_of(given)
    async with db.transaction():
        found = await _explain(db, url, depth_cap=depth_cap, traps=traps)
    return ExplainedUrl(
        **{each.name: getattr(found, each.name) for each in fields(found)},
        given=given.encode("utf-8", "replace").decode(),
        url_hash=url_hash(url),
        normalised_by=steps,
        conclusion=conclusion(found, now),
        next=next_time(found, now),
    )


async def _explain(db: asyncpg.Connection, url: str, *, depth_cap: int, traps: TrapOptions) -> Explanation:
    """The explanation of a normalised URL."""
    key = key_of(url)
    row = await StatsStore().find(db, key)
    ruling = _ruling(url, await files_of_host(db, key.host_id))
    host = await HostStore().find(db, host_of(url))
    if row is None:
        template = template_of(url)
        is_barren = template is not None and await StatsStore().is_barren(db, key.host_id, template)
        return Explanation(
            url,
            None,
            host,
            ruling,
            crawl_verdicts=await _crawl_verdicts(db, url, depth_cap, traps, is_barren),
        )
    wanted = await StatsStore().wanted_by(db, key)
    names = await owner_names(db, {row["source_id"], *(each.source_id for each in wanted)})
    return Explanation(
        url,
        _known(row, names),
        host,
        ruling,
        document=_kept(await DocumentStore().find(db, key)),
        way_here=await referrers_of(db, key),
        way_on=await redirect_targets_of(db, key),
        history=await StatsStore().history(db, key, MOST_HISTORY),
        wanted_by=_named(wanted, names),
        redirects=await redirects_of(db, key),
    )


def refusal_in_words(url: str, plan: CrawlPlan, traps: TrapOptions, *, is_barren: bool) -> str | None:
    """Why a crawl does not take a URL, in one sentence."""
    if (refusal := plan.scope.refusal(url)) is not None:
        return refusal
    if (looks := skip(url, content_filter=plan.policy.content_filter)) is not None:
        return f"left out by its looks: {looks.value}"
    if (shape := is_trap_shape(url, traps)) is not None:
        return f"taken for a trap: {shape}"
    if is_barren:
        return f"its family {template_of(url)} stopped yielding anything new"
    return None


async def _crawl_verdicts(
    db: asyncpg.Connection, url: str, depth_cap: int, traps: TrapOptions, is_barren: bool
) -> list[CrawlVerdict]:
    crawl_verdicts = []
    for source in (await all_owners(db))[-MOST_CRAWLS:]:
        if not source.policy.seeds:
            continue  # a source without seeds follows no links
        try:
            plan = CrawlPlan.of(source, depth_cap)
        except InvalidInput as error:
            crawl_verdicts.append(CrawlVerdict(source.name, str(error)))
        else:
            crawl_verdicts.append(
                CrawlVerdict(source.name, refusal_in_words(url, plan, traps, is_barren=is_barren))
            )
    return crawl_verdicts


def _ruling(url: str, files: Sequence[StoredFile]) -> RobotsRuling | None:
    for file in files:
        if file.origin == origin_of(url):
            rules = file.rules
            delay_s = rules.crawl_delay(AGENT)
            return RobotsRuling(file, rules.verdict(AGENT, url), delay_s, is_empty=not file.body)
    return None


def _named(wanted: Sequence[SourceInterest], names: Mapping[int, str]) -> list[InterestedSource]:
    return [
        InterestedSource(each.source_id, names[each.source_id], each.state.name.lower(), each.reason)
        for each in wanted
        if each.source_id in names
    ]


def _known(row: Any, names: Mapping[int, str]) -> EntryFacts:
    return EntryFacts(
        state=State(row["state"]).name.lower(),
        kind=EntryKind(row["kind"]).name.lower(),
        source=names.get(row["source_id"]),
        origin=ORIGINS[row["origin"]].value,
        depth=row["depth"],
        priority=abs(row["prio"]),
        is_held=row["prio"] < 0,
        discovered_at=row["discovered_at"],
        last_fetch_at=row["last_fetch_at"],
        next_fetch_at=row["next_fetch_at"],
        fetches=row["fetches"],
        attempts=row["attempts"],
        status=row["http_status"],
        reason=row["reason"],
    )


def _kept(row: Any | None) -> DocumentFacts | None:
    if row is None:
        return None
    return DocumentFacts(
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
