"""Which fetched pages are to be found again, and what is counted about them."""

from dataclasses import replace
from typing import Any

import pytest

from outrider.crawl.batch import Batch
from outrider.crawl.pages.assessment import PageAssessment, assess_page, count_page
from outrider.crawl.plan import CrawlPlan
from outrider.extract import scan
from outrider.extract.article.page_type import PageType
from outrider.extract.article.quality import Unindexed
from outrider.extract.recipe.model import Extracted
from outrider.extract.recipe.with_selectors import extract_with
from outrider.frontier.model import Entry, EntryKind, UrlOrigin
from outrider.sources.owners import OwnerKind, UrlOwner
from outrider.sources.policy import Policy
from outrider.urls import key_of

STORY = "https://example.com/2026/04/30/the-bridge-opens"
TEXT = "The council met on Tuesday and agreed at last that there would be a bridge. " * 20
ARTICLE = f"<title>Bridge</title><article><h1>Bridge</h1><p>{TEXT}</p></article>".encode()
LISTING = b"<title>News</title>" + b"".join(
    b"<p><a href=/s/%d>Story number %d of many</a>" % (n, n) for n in range(50)
)
PROSE = f"<title>About</title><p>{TEXT}</p>".encode()
STUB = b"<title>Soon</title><p>More soon."


def entry(url: str, origin: UrlOrigin = UrlOrigin.SPIDER) -> Entry:
    return Entry(key_of(url), url, 5, 2, origin, EntryKind.PAGE, 1, 0, 0, 0, None, None, None)


def plan(kind: str = "watch", **policy: Any) -> CrawlPlan:
    asked = Policy(seeds=["https://example.com/"], **policy)
    return CrawlPlan.of(UrlOwner(2, "x", asked, kind=OwnerKind(kind)), 10)


def judge(
    body: bytes, url: str, plan: CrawlPlan, origin: UrlOrigin = UrlOrigin.SPIDER, *, read: bool = True
) -> PageAssessment:
    extracted = extract_with(body, url) if read else None
    return assess_page(entry(url, origin), plan, scan(body, url), extracted)


@pytest.mark.parametrize("read", [True, False], ids=["read as a whole", "as the fast path saw it"])
@pytest.mark.parametrize(
    ("body", "url", "page_type", "unindexed"),
    [
        (ARTICLE, STORY, PageType.ARTICLE, None),
        (LISTING, "https://example.com/news", PageType.LISTING, Unindexed.PAGE_TYPE),
        (STUB, STORY, PageType.STUB, Unindexed.QUALITY_GATE),
    ],
)
def test_pages_of_a_watched_source(body, url, page_type, unindexed, read):
    """EXT-12, EXT-13, SPI-02."""
    found = judge(body, url, plan(), read=read)

    assert (found.page_type, found.unindexed) == (page_type, unindexed)


@pytest.mark.parametrize("read", [True, False], ids=["read as a whole", "as the fast path saw it"])
@pytest.mark.parametrize("kind", ["watch", "crawl"])
@pytest.mark.parametrize(
    ("title", "words", "is_indexed"),
    [("", 0, False), ("T", 0, False), ("", 49, False), ("T", 49, False), ("", 50, True), ("T", 50, True)],
)
def test_a_page_is_indexed_from_fifty_words_on_whatever_its_title(title, words, is_indexed, kind, read):
    """EXT-12: neither title nor text, or fewer than 50 words."""
    text = " ".join(f"word{n}" for n in range(words))
    body = f"<title>{title}</title><article><p>{text}</p></article>".encode()

    found = judge(body, STORY, plan(kind), UrlOrigin.FEED, read=read)

    assert found.words == words
    assert found.unindexed is (None if is_indexed else Unindexed.QUALITY_GATE)


def test_a_crawl_keeps_whatever_has_words():
    assert judge(LISTING, "https://example.com/news", plan("crawl"), read=False).unindexed is None
    assert judge(STUB, STORY, plan("crawl"), read=False).unindexed is Unindexed.QUALITY_GATE


@pytest.mark.parametrize(
    ("origin", "unindexed"),
    [
        (UrlOrigin.FEED, None),
        (UrlOrigin.SITEMAP, Unindexed.PAGE_TYPE),
        (UrlOrigin.SPIDER, Unindexed.PAGE_TYPE),
        (UrlOrigin.MANUAL, Unindexed.PAGE_TYPE),
    ],
)
def test_only_a_feed_is_believed_that_what_it_announces_is_an_article(origin, unindexed):
    assert judge(LISTING, "https://example.com/news", plan(), origin).unindexed is unindexed


@pytest.mark.parametrize(
    ("origin", "unindexed"),
    [
        (UrlOrigin.SITEMAP, None),
        (UrlOrigin.MANUAL, None),
        (UrlOrigin.SPIDER, Unindexed.PAGE_TYPE),
        (UrlOrigin.DISCOVERED, Unindexed.PAGE_TYPE),
    ],
)
def test_without_other_signs_an_announced_page_counts_as_an_article(origin, unindexed):
    found = judge(PROSE, "https://example.com/about", plan(), origin)

    assert (found.page_type, found.unindexed) == (PageType.OTHER, unindexed)


@pytest.mark.parametrize(
    ("url", "unindexed"), [("https://example.com/meldung/17", None), (STORY, Unindexed.URL_FILTER)]
)
def test_patterns_go_before_what_the_page_says(url, unindexed):
    patterns = {"article_patterns": [r"/meldung/\d+"]}

    assert judge(ARTICLE, url, plan(**patterns)).unindexed is unindexed


@pytest.mark.parametrize(
    ("unindexed", "is_document"),
    [
        (None, True),
        (Unindexed.QUALITY_GATE, True),
        (Unindexed.PAGE_TYPE, False),
        (Unindexed.URL_FILTER, False),
    ],
)
def test_what_is_there_for_its_links_is_no_document(unindexed, is_document):
    assert PageAssessment(PageType.OTHER, 100, unindexed).is_document == is_document


def counted(body: bytes, url: str, read: Extracted | None) -> dict[str, int]:
    batch, page = Batch(), scan(body, url)
    count_page(batch, 2, assess_page(entry(url), plan(), page, read), page, read)
    assert {source_id for source_id, _ in batch.counts} == {2}
    return {name: value for (_, name), value in batch.counts.items()}


def test_extraction_is_counted():
    """EXT-15."""
    assert counted(ARTICLE, STORY, extract_with(ARTICLE, STORY)) == {
        "extract.type.article": 1,
        "extract.words.lt_500": 1,
        "extract.method.readability": 1,
    }
    assert counted(STUB, STORY, None) == {
        "extract.type.stub": 1,
        "extract.words.lt_50": 1,
        "extract.skipped.quality_gate": 1,
    }


def test_missing_titles_and_bodies_are_counted():
    """EXT-16: what reveals that selectors have drifted from their pages."""
    nothing = extract_with(b"", STORY)
    titled = replace(nothing, page=replace(nothing.page, title="Bridge"))

    assert {"extract.empty_title", "extract.empty_body"} <= set(counted(b"", STORY, nothing))
    assert "extract.empty_title" not in counted(b"", STORY, titled)
