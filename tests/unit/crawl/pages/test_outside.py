"""Links that lead out of a watched source: which are noted, and when."""

import pytest
from tests.support.make import entry

from outrider.crawl.admission.templates import TemplateWatch
from outrider.crawl.admission.traps import TrapOptions
from outrider.crawl.pages.absorb import MOST_OUTSIDE, PageLinks, links_of
from outrider.crawl.plan import CrawlPlan
from outrider.crawl.seen import SeenUrls
from outrider.extract.model import Scan
from outrider.hrefs import Hrefs
from outrider.sources.model import Mode
from outrider.sources.owners import OwnerKind, UrlOwner
from outrider.sources.policy import Policy

PAGE = "https://news.example/story"


class nofollow(str):
    """An href of which every mention says nofollow."""


def links_found(
    *links: str, kind: str = "watch", mode: str = "both", depth: int = 0, **policy: object
) -> PageLinks:
    stored = {"seeds": ["https://news.example/"], **policy}
    owner = UrlOwner(2, "news", Policy.from_json(stored), kind=OwnerKind(kind), mode=Mode(mode))
    plan = CrawlPlan.of(owner, depth_cap=10)
    found = Hrefs.of({str(link): isinstance(link, nofollow) for link in links})
    scan = Scan(None, None, None, PAGE, None, found, b"")
    return links_of(
        entry(PAGE, depth=depth, source_id=2), scan, plan, SeenUrls(), TemplateWatch(TrapOptions())
    )


@pytest.mark.parametrize("mode", ["both", "spider", "feed"])
@pytest.mark.parametrize("depth", [0, 3])
def test_other_hosts_are_outside_in_every_mode_and_at_every_depth(mode, depth):
    """SPI-08."""
    found = links_found(
        "/here", "https://other.example/a", "https://sub.news.example/b", mode=mode, depth=depth
    )

    assert found.outside == ["https://other.example/a", "https://sub.news.example/b"]


@pytest.mark.parametrize(("mode", "queued"), [("feed", []), ("both", ["https://news.example/here"])])
def test_links_in_scope_are_queued_if_the_mode_follows_links(mode, queued):
    assert [link.url for link in links_found("/here", mode=mode).links] == queued


@pytest.mark.parametrize(
    "link",
    [
        pytest.param("https://www.news.example/x", id="our own host, with www."),
        pytest.param("/folder/x", id="our own host, out of scope"),
        pytest.param("https://www.facebook.com/sharer.php?u=x", id="a share button"),
        pytest.param("https://other.example/photo.jpg", id="no page"),
        pytest.param(nofollow("https://other.example/"), id="nofollow"),
        pytest.param("mailto:somebody@other.example", id="no address of the web"),
        pytest.param("http://[", id="no address at all"),
    ],
)
@pytest.mark.parametrize("mode", ["both", "feed"])
def test_what_is_not_noted(link, mode):
    assert links_found(link, mode=mode, scope="prefix", seeds=["https://news.example/story/"]).outside == []


@pytest.mark.parametrize("mode", ["both", "feed"])
def test_a_source_that_ignores_them_and_a_crawl_note_nothing(mode):
    assert links_found("https://other.example/", mode=mode, external="ignore").outside == []
    assert links_found("https://other.example/", kind="crawl").outside == []


def test_a_page_adds_a_bounded_number_of_outside_links():
    assert len(links_found(*(f"https://h{n}.example/" for n in range(1000))).outside) == MOST_OUTSIDE


def test_a_link_outside_is_spelled_as_everybody_spells_it():
    """Rules of our own do not hold on other people's sites."""
    found = links_found(
        "https://other.example/a/?utm_source=x", keep_slash=True, tracking_keep=["utm_source"]
    )

    assert found.outside == ["https://other.example/a"]
