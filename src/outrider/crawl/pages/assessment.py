"""The type of a fetched page, and whether search indexes it. Pure."""

from typing import NamedTuple

from outrider.crawl.batch import Counts
from outrider.crawl.plan import CrawlPlan
from outrider.extract.article.page_type import PageType, Signals, page_type
from outrider.extract.article.quality import WORD_BUCKETS, Unindexed, passes, word_bucket
from outrider.extract.article.url import article_url
from outrider.extract.model import Scan
from outrider.extract.recipe.model import Extracted, Method
from outrider.frontier.counter_name import CounterName, CounterPrefix, counters_of
from outrider.frontier.model import LINK_ORIGINS, Entry, UrlOrigin
from outrider.urls import path_of

_BY_TYPE = counters_of(CounterPrefix.PAGE_TYPE, PageType)
_BY_WORDS = counters_of(CounterPrefix.WORDS, WORD_BUCKETS)
_BY_UNINDEXED = counters_of(CounterPrefix.UNINDEXED, Unindexed)
_BY_METHOD = counters_of(CounterPrefix.METHOD, Method)


class PageAssessment(NamedTuple):
    """The assessment of one page; `unindexed` None means that search indexes it."""

    page_type: PageType
    words: int
    unindexed: Unindexed | None = None

    @property
    def is_document(self) -> bool:
        """False for pages of a watched source that only lead to its articles (SPI-02)."""
        return self.unindexed is None or self.unindexed is Unindexed.QUALITY_GATE


def assess_page(entry: Entry, plan: CrawlPlan, scan: Scan, read: Extracted | None) -> PageAssessment:
    """Assess a page by the fast scan, or by the full extraction where there is one."""
    looks_like_article = article_url(entry.url, plan.articles)
    if read is not None:
        kind, words = read.page_type, read.words
    else:
        words = scan.words
        kind = page_type(
            Signals(
                words=words,
                links=scan.links.size,
                looks_like_article=looks_like_article,
                is_home=path_of(entry.url) == "/",
                og_type=scan.og_type,
            )
        )
    return PageAssessment(kind, words, _unindexed(entry, plan, kind, words, looks_like_article))


def _unindexed(
    entry: Entry, plan: CrawlPlan, kind: PageType, words: int, looks_like_article: bool
) -> Unindexed | None:
    # A page that a feed announces is an article.
    if plan.is_watched and entry.origin is not UrlOrigin.FEED:
        if plan.articles and not looks_like_article:
            return Unindexed.URL_FILTER
        is_stray = kind is PageType.OTHER and entry.origin in LINK_ORIGINS and not plan.articles
        if kind is PageType.LISTING or is_stray:
            return Unindexed.PAGE_TYPE
    return None if passes(words) else Unindexed.QUALITY_GATE


def count_page(
    counts: Counts, source_id: int, assessment: PageAssessment, scan: Scan, read: Extracted | None
) -> None:
    """Count the page type and the missing parts of a page for its source (EXT-15, EXT-16)."""
    counts.count(source_id, _BY_TYPE[assessment.page_type])
    counts.count(source_id, _BY_WORDS[word_bucket(assessment.words)])
    if assessment.unindexed is not None:
        counts.count(source_id, _BY_UNINDEXED[assessment.unindexed])
    if read is not None:
        counts.count(source_id, _BY_METHOD[read.method])
    if not (read.page.title if read else scan.title):
        counts.count(source_id, CounterName.EMPTY_TITLE)
    if not assessment.words:
        counts.count(source_id, CounterName.EMPTY_BODY)
