"""What a source may have otherwise than the rest: here, how its links are spelt (SRC-17)."""

import pytest
from tests.support.make import entry

from outrider.crawl.admission.templates import TemplateWatch
from outrider.crawl.pages.absorb import links_of
from outrider.crawl.plan import CrawlPlan
from outrider.crawl.seen import SeenUrls
from outrider.extract.scan import scan
from outrider.sources.model import Mode
from outrider.sources.owners import OwnerKind, UrlOwner
from outrider.sources.policy import Policy

PAGE = b'<a href="/news/?ref=front&from=menu">News</a>'


@pytest.mark.parametrize(
    ("policy", "url"),
    [
        pytest.param({}, "https://blatt.de/news?from=menu", id="by default"),
        pytest.param({"keep_slash": True}, "https://blatt.de/news/?from=menu", id="closing slash kept"),
        pytest.param({"tracking_add": ["from"]}, "https://blatt.de/news", id="another tracking parameter"),
        pytest.param({"tracking_keep": ["ref"]}, "https://blatt.de/news?from=menu&ref=front", id="one less"),
    ],
)
def test_links_are_normalised_by_the_rules_of_their_source(policy, url):
    asked = Policy(seeds=["https://blatt.de/"], **policy)
    plan = CrawlPlan.of(UrlOwner(7, "Das Blatt", asked, kind=OwnerKind.WATCH, mode=Mode.BOTH), depth_cap=10)
    page = scan(PAGE, "https://blatt.de/", "text/html", None)

    found = links_of(entry("https://blatt.de/", source_id=7), page, plan, SeenUrls(), TemplateWatch())

    assert [link.url for link in found.links] == [url]
