"""Pages that several sources want: what a visit comes to for each, and whether any of them keeps the text."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from outrider.crawl.pages.assessment import PageAssessment, assess_page
from outrider.crawl.plan import CrawlPlan
from outrider.crawl.shared_visit import entry_for
from outrider.crawl.visit import Visit
from outrider.extract.model import Scan
from outrider.extract.recipe.with_selectors import Extracted
from outrider.frontier.model import Completion, Entry, SourceInterest, State, Stood


class Keeper(NamedTuple):
    """A source that wants the page, and the entry as that source has it."""

    entry: Entry
    plan: CrawlPlan


class Shared(NamedTuple):
    """What is found out about a shared page before it is settled."""

    read: Extracted | None  # its main text, where any of the sources asks for that
    again_in_s: Mapping[int, float | None]  # by source: when a page that did not change is wanted again
    keepers: Sequence[Keeper]


async def keeper(visit: Visit, standing: SourceInterest) -> Keeper:
    plan = await visit.context.plans.of(standing.source_id)
    return Keeper(entry_for(visit.entry, standing), plan)


def best_worth(
    own: PageAssessment, keepers: Sequence[Keeper], page: Scan, read: Extracted | None
) -> PageAssessment:
    """A page is a document as soon as it is one for any source that wants it: its text is kept."""
    if own.is_document:
        return own
    judged = (assess_page(each.entry, each.plan, page, read) for each in keepers)
    return next((worth for worth in judged if worth.is_document), own)


def stood_of(done: Completion, source_id: int, again_in_s: float | None) -> Stood:
    """What a completed visit came to for one source; `again_in_s` None: it wants the page no more."""
    is_read = done.reason is None and done.moved_to is None
    if again_in_s is not None:
        return Stood(done.key, source_id, State.PENDING, is_read=is_read)
    if done.moved_to is not None:
        return Stood(done.key, source_id, State.ALIAS)
    if done.reason is not None:
        return Stood(done.key, source_id, State.DEAD, done.reason)
    return Stood(done.key, source_id, State.FETCHED, is_read=is_read)
