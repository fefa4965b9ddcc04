"""Which redirects of pages are followed, as a table."""

import pytest
from tests.support.make import entry

from outrider.crawl.policy import Plan
from outrider.crawl.redirects import OTHER_DOMAIN, OUT_OF_SCOPE, refusal_of_target
from outrider.fetch.hops import RedirectScope
from outrider.frontier.model import Origin
from outrider.frontier.sources import Source

FROM = "https://www.paper.example/a"
SCOPE, NEAR, FAR = "https://www.paper.example/b", "https://cdn.paper.example/b", "https://other.example/b"
ANY, DOMAIN = RedirectScope.ANY, RedirectScope.SAME_DOMAIN


def plan(*, kind: str = "watch", mode: str = "both", seeds: bool = True, **policy: object) -> Plan:
    stored = policy | ({"seeds": ["https://www.paper.example/"]} if seeds else {})
    return Plan.of(Source(2, "paper", 5, stored, held=False, kind=kind, mode=mode), depth_cap=10)


@pytest.mark.parametrize(
    ("origin", "depth", "of", "refused"),
    [
        pytest.param(Origin.FEED, 0, plan(mode="feed"), {}, id="announced by a feed"),
        pytest.param(Origin.SITEMAP, 0, plan(), {}, id="announced by a sitemap of a source that is walked"),
        pytest.param(Origin.SPIDER, 0, plan(), {}, id="found by a link, then announced"),
        pytest.param(Origin.SPIDER, 1, plan(), {NEAR: OUT_OF_SCOPE, FAR: OUT_OF_SCOPE}, id="found by a link"),
        pytest.param(
            Origin.SPIDER, 1, plan(scope="domain"), {FAR: OUT_OF_SCOPE}, id="within the domain of a walk"
        ),
        pytest.param(
            Origin.MANUAL, 0, plan(kind="crawl"), {NEAR: OUT_OF_SCOPE, FAR: OUT_OF_SCOPE}, id="a start page"
        ),
        pytest.param(Origin.MANUAL, 0, plan(mode="feed"), {}, id="named for a source that follows no links"),
        pytest.param(Origin.MANUAL, 0, plan(kind="crawl", seeds=False), {}, id="named for no source"),
        pytest.param(
            Origin.FEED, 0, plan(redirect_scope="same_domain"), {FAR: OTHER_DOMAIN}, id="kept in its domain"
        ),
        pytest.param(
            Origin.SPIDER,
            1,
            plan(scope="any", redirect_scope="same_domain"),
            {FAR: OTHER_DOMAIN},
            id="a link kept in its domain",
        ),
    ],
)
def test_where_a_redirect_may_lead(origin: Origin, depth: int, of: Plan, refused: dict[str, str]):
    found = entry(FROM, origin=origin, depth=depth)

    told = {target: refusal_of_target(found, target, of, ANY) for target in (SCOPE, NEAR, FAR)}

    assert {target: reason for target, reason in told.items() if reason} == refused


@pytest.mark.parametrize(
    ("of_source", "general", "refusal"),
    [
        (None, ANY, None),
        (None, DOMAIN, OTHER_DOMAIN),
        ("any", DOMAIN, None),
        ("same_domain", ANY, OTHER_DOMAIN),
    ],
)
def test_a_source_says_otherwise_than_the_setting(of_source, general, refusal):
    of = plan(redirect_scope=of_source)

    assert refusal_of_target(entry(FROM, origin=Origin.FEED), FAR, of, general) == refusal


@pytest.mark.parametrize(
    ("source", "target", "is_same"),
    [
        ("http://127.0.0.2/a", "http://127.0.0.2:81/b", True),
        ("http://127.0.0.2/a", "http://127.0.0.3/a", False),
        ("http://localhost/a", "http://localhost/b", True),
        ("https://alice.github.io/a", "https://bob.github.io/a", False),
        ("https://news.example.co.uk/a", "https://example.co.uk/a", True),
    ],
)
def test_the_domain_is_the_registrable_one_or_the_host(source, target, is_same):
    refusal = refusal_of_target(entry(source, origin=Origin.FEED), target, plan(), DOMAIN)

    assert (refusal is None) == is_same
