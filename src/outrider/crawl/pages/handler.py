"""The handler of entries of kind `page`: keeps the page, queues its links, completes the entry."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import NamedTuple

from outrider.crawl.admission.filters import skip
from outrider.crawl.admission.skip_reason import SkipReason, dead_reason_of
from outrider.crawl.admission.traps import template_of
from outrider.crawl.batch import Counts
from outrider.crawl.decide import Confirm, Dead, Decision, Keep, Move, Retry
from outrider.crawl.in_step import in_step
from outrider.crawl.pages.absorb import PageLinks, draft_of, links_of, refusal_of
from outrider.crawl.pages.assessment import PageAssessment, assess_page, count_page
from outrider.crawl.pages.shared import (
    SharedResults,
    SourceEntry,
    best_assessment,
    source_entry,
    source_result_of,
)
from outrider.crawl.records import completion_of, settle_move, successor_of
from outrider.crawl.redirects import KeepStoredPage, has_moved
from outrider.crawl.run_counts import RunTally, count_run_page, dead_counter
from outrider.crawl.seen import REFUSED
from outrider.crawl.visit import Visit
from outrider.documents.model import Draft
from outrider.extract.article.url import article_url
from outrider.extract.feed_types import names_a_feed
from outrider.extract.model import Scan
from outrider.extract.recipe.model import Extracted
from outrider.extract.scan import scan
from outrider.fetch.outcome import Fetched, Outcome, Redirected, Request
from outrider.frontier.counter_name import CounterName, CounterPrefix, counter_of, counters_of
from outrider.frontier.dead_reason import DeadReason
from outrider.frontier.model import Entry, TemplateNote, UrlOrigin
from outrider.frontier.redirect_hops import redirects_since_page
from outrider.frontier.retry_reason import RetryReason
from outrider.logs import get_logger
from outrider.runs.counter import RunCounter

log = get_logger()

_SKIPPED = counters_of(CounterPrefix.SKIPPED, SkipReason)
LARGE = 256 << 10  # bytes; scanning more in the event loop would delay other lanes (FET-23)


class KeptPage(NamedTuple):
    """A page that was kept."""

    assessment: PageAssessment
    page_links: PageLinks
    read: Extracted | None = None


class PreparedPage(NamedTuple):
    """A page that was read and packed, and is yet to be added to a batch."""

    scan: Scan
    read: Extracted | None
    assessment: PageAssessment  # for the source of the visit
    draft: Draft


class PageHandler:
    """The handler of pages. `kept`, `confirmed` and `lost` return when a watched page is requested again."""

    counts_as_page = True
    at_once: AbstractAsyncContextManager[object] | None = None  # no limit besides the lanes

    def refusal(self, visit: Visit) -> DeadReason | None:
        """Check the URL again: since it was queued, rules may have changed and traps been recognised."""
        entry, plan = visit.entry, visit.plan
        limit = plan.policy.max_pages_per_host
        if limit is not None and visit.turn.lease.pages >= limit:
            return DeadReason.HOST_LIMIT
        if entry.depth == 0:
            # URLs that a feed or an operator named are not filtered, except binaries (FET-13).
            return DeadReason.BINARY_URL if skip(entry.url, content_filter=False) else None
        if entry.depth > plan.max_depth:
            return DeadReason.OUT_OF_SCOPE
        refusal = refusal_of(entry.url, plan, visit.context.watch)
        return None if refusal is None else dead_reason_of(refusal)

    def request(self, entry: Entry, url: str) -> Request:
        return Request(url, etag=entry.etag, last_modified=entry.last_modified, only_html=True)

    async def settle(self, visit: Visit, decision: Decision, outcome: Outcome | None) -> None:
        """Add the results of one decision to the batch: document, links, completion and counters."""
        fetched = page = read = prepared = again_in_s = None
        shared: SharedResults | None = None
        follows: Decision | KeepStoredPage = decision
        if isinstance(decision, Keep) and isinstance(outcome, Fetched):
            fetched = outcome
            await in_step()
            is_large = len(fetched.body) > LARGE
            page = await asyncio.to_thread(_scan, fetched) if is_large else _scan(fetched)
            await in_step()
            read = await self.read(visit, fetched)
        elif isinstance(decision, Confirm):
            again_in_s = await self.confirmed(visit)
        elif isinstance(outcome, Redirected) and visit.entry.fetches > 0:
            follows = await self._confirm_redirect(visit, decision, outcome)
        if visit.entry.interests:
            shared = await self._prepare_shared(visit, follows, outcome, read)
            read = read or shared.read
        if fetched is not None and page is not None:
            prepared = _prepare(visit, fetched, page, read, shared.source_entries if shared else ())
            await in_step()
        # From here on nothing is awaited, so that all results of the page are in one batch.
        batch, entry = visit.context.flusher.batch, visit.entry
        match follows:
            case Keep():
                assert fetched is not None
                assert prepared is not None
                kept = _absorb(visit, fetched, prepared)
                batch.complete(completion_of(entry, outcome, retry_in_s=self.kept(visit, kept)))
            case Confirm():
                batch.confirmed.add(entry.key)
                batch.count(entry.source_id, CounterName.PAGES)
                if entry.run_id:
                    batch.run_counts[entry.run_id].pages += 1
                batch.complete(completion_of(entry, outcome, retry_in_s=again_in_s))
            case Move(target=target):
                policy = visit.plan.policy.redirect_policy or visit.context.fetching.redirect_policy
                settle_move(batch, entry, target, outcome, policy)
                self.moved(visit, target)
            case KeepStoredPage(wait_s=wait_s):
                batch.count(entry.source_id, CounterName.REDIRECTS_UNCONFIRMED)
                reason = None if wait_s is None else RetryReason.REDIRECT_UNCONFIRMED
                batch.complete(completion_of(entry, outcome, reason=reason, retry_in_s=wait_s, attempts=0))
            case Retry(reason=reason, wait_s=wait_s, attempts=attempts):
                batch.count(entry.source_id, CounterName.RETRIES)
                batch.count(entry.source_id, counter_of(CounterPrefix.RETRY, reason))
                batch.complete(
                    completion_of(entry, outcome, reason=reason, retry_in_s=wait_s, attempts=attempts)
                )
            case Dead() if _is_linked_feed(entry, outcome):
                # `outrider watch` reads feeds. A link to a feed is neither broken nor a missing page.
                batch.count(entry.source_id, _SKIPPED[SkipReason.FEED])
                batch.complete(completion_of(entry, outcome))
            case Dead(reason=reason, attempts=attempts):
                if isinstance(outcome, Redirected):
                    log.info("redirect failed", reason=reason, url=entry.url, id=entry.key.hash)
                again_in_s = None if outcome is None else self.lost(visit, reason)
                if entry.run_id:
                    batch.run_counts[entry.run_id].count(dead_counter(reason))
                batch.complete(
                    completion_of(
                        entry,
                        outcome,
                        reason=reason,
                        retry_in_s=again_in_s,
                        attempts=attempts if again_in_s is None else 0,
                    )
                )
        if shared is not None:
            self._settle_for_all(visit, follows, outcome, page, read, shared)

    async def _prepare_shared(
        self,
        visit: Visit,
        decision: Decision | KeepStoredPage,
        outcome: Outcome | None,
        read: Extracted | None,
    ) -> SharedResults:
        """The awaited results for the further sources of a shared page."""
        again_in_s = {}
        for other in visit.others:
            if isinstance(decision, Keep) and isinstance(outcome, Fetched):
                read = await self.read(other, outcome) if read is None else read
            elif isinstance(decision, Confirm):
                again_in_s[other.entry.source_id] = await self.confirmed(other)
            elif isinstance(decision, KeepStoredPage):
                again_in_s[other.entry.source_id] = await self.redirected(other, decision.times)
        source_entries = [await source_entry(visit, interest) for interest in visit.entry.interests]
        if read is None and isinstance(decision, Keep) and isinstance(outcome, Fetched):
            # One recipe reads the text for all sources: changing recipes would change the text each time.
            reader = next((each for each in source_entries if each.plan.recipe is not None), None)
            if reader is not None:
                read = await self.read(replace(visit, entry=reader.entry, plan=reader.plan), outcome)
        return SharedResults(read, again_in_s, source_entries)

    def _settle_for_all(
        self,
        visit: Visit,
        decision: Decision | KeepStoredPage,
        outcome: Outcome | None,
        page: Scan | None,
        read: Extracted | None,
        shared: SharedResults,
    ) -> None:
        """Settle a shared page under the plan of each further source for which it was pending."""
        batch, key = visit.context.flusher.batch, visit.entry.key
        done = batch.completions[key]
        batch.add_source_result(source_result_of(done, visit.entry.source_id, done.retry_in_s))
        waits_s = [done.retry_in_s]
        for other in visit.others:
            again_in_s = shared.again_in_s.get(other.entry.source_id)
            match decision:
                case Keep():
                    assert page is not None
                    assessment = assess_page(other.entry, other.plan, page, read)
                    counts = batch.counts_for_further_source
                    again_in_s = self.kept(other, _follow(other, page, read, assessment, counts))
                case Confirm():
                    batch.counts_for_further_source.count(other.entry.source_id, CounterName.PAGES)
                case Move(target=target):
                    batch.submit([successor_of(other.entry, target)])
                    batch.counts_for_further_source.count(other.entry.source_id, CounterName.REDIRECTS)
                    self.moved(other, target)
                case KeepStoredPage():
                    batch.counts_for_further_source.count(
                        other.entry.source_id, CounterName.REDIRECTS_UNCONFIRMED
                    )
                case Retry():
                    batch.counts_for_further_source.count(other.entry.source_id, CounterName.RETRIES)
                    again_in_s = done.retry_in_s
                case Dead(reason=reason):
                    again_in_s = None if outcome is None else self.lost(other, reason)
            waits_s.append(again_in_s)
            batch.add_source_result(source_result_of(done, other.entry.source_id, again_in_s))
        soonest_s = min((wait_s for wait_s in waits_s if wait_s is not None), default=None)
        if soonest_s != done.retry_in_s:
            batch.complete(done._replace(retry_in_s=soonest_s, attempts=0))

    async def _confirm_redirect(
        self, visit: Visit, decision: Decision, redirect: Redirected
    ) -> Decision | KeepStoredPage:
        """The decision about a redirect, or `KeepStoredPage` while the stored page may still come back."""
        if decision == Dead(DeadReason.ROBOTS_BLOCKED):
            return decision
        key = visit.entry.key
        known = await visit.context.connection.run(lambda db: redirects_since_page(db, key), patience_s=60)
        if known is None or has_moved(redirect, known):
            return decision
        log.info(
            "redirect not confirmed",
            url=visit.entry.url,
            to=redirect.target or redirect.location,
            status=redirect.exchange.status,
        )
        times = known.times + 1
        return KeepStoredPage(await self.redirected(visit, times), times)

    async def read(self, visit: Visit, fetched: Fetched) -> Extracted | None:
        """The main text, if the source has a recipe for it."""
        plan = visit.plan
        if plan.recipe is None:
            return None
        return await visit.context.readers.read(
            fetched.body,
            fetched.exchange.url,
            fetched.content_type,
            plan.recipe,
            is_article_url=article_url(visit.entry.url, plan.articles),
        )

    def kept(self, visit: Visit, kept: KeptPage) -> float | None:
        """Seconds until a kept page is requested again; None for never."""
        return None

    async def confirmed(self, visit: Visit) -> float | None:
        """Seconds until a page that did not change is requested again; None for never."""
        return None

    def lost(self, visit: Visit, reason: str) -> float | None:
        """Seconds until a dead page is requested again; None for never."""
        return None

    async def redirected(self, visit: Visit, times: int) -> float | None:
        """Seconds until a page with `times` unconfirmed redirects in a row is requested again."""
        return None

    def moved(self, visit: Visit, target: str) -> None:
        """Move further data about a page to its new address."""


def _is_linked_feed(entry: Entry, outcome: Outcome | None) -> bool:
    """Whether the entry comes from a link and its answer is a feed by its content type."""
    if entry.origin is not UrlOrigin.SPIDER or not isinstance(outcome, Fetched):
        return False
    return names_a_feed(outcome.content_type, entry.url)


def _scan(fetched: Fetched) -> Scan:
    exchange = fetched.exchange
    return scan(fetched.body, exchange.url, fetched.content_type, exchange.headers.get("x-robots-tag"))


def _prepare(
    visit: Visit,
    fetched: Fetched,
    page: Scan,
    read: Extracted | None,
    source_entries: Sequence[SourceEntry],
) -> PreparedPage:
    """Assess the page, hash, sign and pack its text."""
    entry = visit.entry
    own = assess_page(entry, visit.plan, page, read)
    assessment = best_assessment(own, source_entries, page, read) if source_entries else own
    options = visit.context.options
    draft = draft_of(entry, fetched, page, options, assessment, read.page if read else None)
    return PreparedPage(page, read, own, draft)


def _absorb(visit: Visit, fetched: Fetched, prepared: PreparedPage) -> KeptPage:
    """Keep the page, queue its links, update the history of its template."""
    context, entry, lease = visit.context, visit.entry, visit.turn.lease
    batch, page = context.flusher.batch, prepared.scan
    kept = _follow(visit, page, prepared.read, prepared.assessment, batch)
    page_links = kept.page_links
    if entry.run_id:
        _count_for_run(batch.run_counts[entry.run_id], kept, page)
    batch.drafts[entry.key] = prepared.draft
    if context.flusher.sinks is not None:
        context.flusher.sinks.collect(batch.fetched, entry, fetched)
    if entry.fetches == 0:
        # Only first visits count for the template: a page that did not change since is no trap.
        learned = context.watch.observe(entry.url, page.encoded_text, (link.url for link in page_links.links))
        if learned is not None and learned.barren and (template := template_of(entry.url)):
            note = TemplateNote(lease.host_id, template, learned.fetched, learned.barren_run, barren=True)
            batch.templates[lease.host_id, template] = note
    lease.pages += 1
    context.figures["pages"] += 1
    context.figures["bytes"] += len(fetched.body)
    return kept


def _count_for_run(tally: RunTally, kept: KeptPage, page: Scan) -> None:
    title = kept.read.page.title if kept.read else page.title
    count_run_page(
        tally,
        words=kept.assessment.words,
        is_indexed=kept.assessment.unindexed is None,
        has_title=bool(title),
    )
    if beyond := kept.page_links.skipped.get(SkipReason.DEPTH):
        tally.count(RunCounter.BEYOND_DEPTH, beyond)


def _follow(
    visit: Visit, page: Scan, read: Extracted | None, assessment: PageAssessment, counts: Counts
) -> KeptPage:
    """Queue the links of a page under the plan of one source, and count the page for it."""
    context, entry = visit.context, visit.entry
    batch = context.flusher.batch
    page_links = links_of(entry, page, visit.plan, context.seen, context.watch)
    if page_links.links:
        batch.submit(context.runs.links_of(entry, page_links.links))
        context.seen.expect(link.seen for link in page_links.links if link.seen)
    if page_links.refused:
        context.seen.expect((key, REFUSED) for key in page_links.refused)
        batch.refused += page_links.refused
    if visit.plan.is_watched:
        per_s = context.options.submissions_per_s
        visit.turn.pause(
            context.new_url_limit.pause_s(entry.source_id, len(page_links.links), time.monotonic(), per_s)
        )
    counts.count(entry.source_id, CounterName.PAGES)
    for skipped, times in page_links.skipped.items():
        counts.count(entry.source_id, _SKIPPED[skipped], times)
    count_page(counts, entry.source_id, assessment, page, read)
    return KeptPage(assessment, page_links, read)
