"""Which pages of a source are looked at again for their links."""

from typing import Any

import pytest
from tests.support.make import entry, submission

from outrider.crawl.pages.absorb import PageLinks
from outrider.crawl.pages.assessment import PageAssessment
from outrider.crawl.pages.handler import KeptPage
from outrider.crawl.plan import CrawlPlan
from outrider.extract.article.page_type import PageType
from outrider.extract.article.quality import Unindexed
from outrider.frontier.model import UrlOrigin
from outrider.sources.model import Mode
from outrider.sources.owners import OwnerKind, UrlOwner
from outrider.sources.policy import Policy
from outrider.watch.spider.handler import is_list

FRONT = "https://news.example/"
PAGE = "https://news.example/politics"
ARTICLE = PageAssessment(PageType.ARTICLE, 500)
LISTING = PageAssessment(PageType.LISTING, 200, Unindexed.PAGE_TYPE)
OTHER = PageAssessment(PageType.OTHER, 200, Unindexed.PAGE_TYPE)
FILTERED = PageAssessment(PageType.ARTICLE, 500, Unindexed.URL_FILTER)
STUB = PageAssessment(PageType.STUB, 5, Unindexed.QUALITY_GATE)


@pytest.mark.parametrize(
    ("url", "assessment", "links", "visited", "again"),
    [
        pytest.param(FRONT, ARTICLE, 0, {}, True, id="the front page, whatever it is"),
        pytest.param(
            "https://www.news.example/en",
            STUB,
            0,
            {"hops": 1, "depth": 0, "origin": UrlOrigin.MANUAL},
            True,
            id="what the front page redirects to",
        ),
        pytest.param(PAGE, LISTING, 0, {"depth": 1}, True, id="a list"),
        pytest.param(PAGE, OTHER, 3, {"depth": 1}, True, id="a page that led to something new"),
        pytest.param(PAGE, OTHER, 0, {"depth": 1}, False, id="a page that led nowhere"),
        pytest.param(PAGE, OTHER, 0, {"depth": 1, "fetches": 4}, True, id="one that did before"),
        pytest.param(PAGE, FILTERED, 3, {"depth": 1}, True, id="no article of the source's patterns"),
        pytest.param(PAGE, ARTICLE, 3, {"depth": 1}, False, id="an article"),
        pytest.param(PAGE, STUB, 3, {"depth": 1}, False, id="a stub"),
    ],
)
def test_lists_are_visited_again(
    url: str, assessment: PageAssessment, links: int, visited: dict[str, Any], again: bool
):
    """SPI-01."""
    found = PageLinks(links=[submission(f"https://news.example/{n}") for n in range(links)])
    kept = KeptPage(assessment, found)

    assert is_list(entry(url, **visited), plan("spider"), kept) is again
    assert not is_list(entry(url, **visited), plan("feed"), kept), "in mode feed nothing is walked"


def plan(mode: str) -> CrawlPlan:
    return CrawlPlan.of(
        UrlOwner(2, "news", Policy(seeds=[FRONT]), kind=OwnerKind.WATCH, mode=Mode(mode)), depth_cap=10
    )
