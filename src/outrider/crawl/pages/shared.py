"""Pages that several sources want: the result of a visit for each, and whether any source keeps the text."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from outrider.crawl.pages.assessment import PageAssessment, assess_page
from outrider.crawl.plan import CrawlPlan
from outrider.crawl.shared_visit import entry_for
from outrider.crawl.visit import Visit
from outrider.extract.model import Scan
from outrider.extract.recipe.model import Extracted
from outrider.frontier.model import Completion, Entry, SourceInterest, SourceResult, State


class SourceEntry(NamedTuple):
    """The plan of a source that wants the page, and the entry with that source's depth and origin."""

    entry: Entry
    plan: CrawlPlan


class SharedResults(NamedTuple):
    """The awaited results for a shared page, collected before it is settled."""

    read: Extracted | None  # the extraction, if any of the sources asks for it
    again_in_s: Mapping[int, float | None]  # by source: when an unchanged page is requested again
    source_entries: Sequence[SourceEntry]


async def source_entry(visit: Visit, interest: SourceInterest) -> SourceEntry:
    plan = await visit.context.plans.of(interest.source_id)
    return SourceEntry(entry_for(visit.entry, interest), plan)


def best_assessment(
    own: PageAssessment, source_entries: Sequence[SourceEntry], page: Scan, read: Extracted | None
) -> PageAssessment:
    """The first assessment that makes the page a document for any source, so that its text is kept."""
    if own.is_document:
        return own
    judged = (assess_page(each.entry, each.plan, page, read) for each in source_entries)
    return next((assessment for assessment in judged if assessment.is_document), own)


def source_result_of(done: Completion, source_id: int, again_in_s: float | None) -> SourceResult:
    """The result of a completed visit for one source; `again_in_s` None: no further visit for it."""
    is_read = done.reason is None and done.moved_to is None
    if again_in_s is not None:
        return SourceResult(done.key, source_id, State.PENDING, is_read=is_read)
    if done.moved_to is not None:
        return SourceResult(done.key, source_id, State.ALIAS)
    if done.reason is not None:
        return SourceResult(done.key, source_id, State.DEAD, done.reason)
    return SourceResult(done.key, source_id, State.FETCHED, is_read=is_read)
