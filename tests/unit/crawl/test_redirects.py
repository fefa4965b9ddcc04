"""Which redirects of pages are followed, and when a page is believed to have moved, as tables."""

from datetime import UTC, datetime, timedelta

import pytest
from tests.support.make import entry

from outrider.crawl.plan import CrawlPlan
from outrider.crawl.redirects import has_moved, refusal_of_target
from outrider.fetch.hops import RedirectScope
from outrider.fetch.outcome import Exchange, Redirected
from outrider.frontier.dead_reason import DeadReason
from outrider.frontier.model import UrlOrigin
from outrider.frontier.redirect_hops import PageRedirects, SeenRedirect
from outrider.sources.model import Mode
from outrider.sources.owners import OwnerKind, UrlOwner
from outrider.sources.policy import Policy

OTHER_DOMAIN, OUT_OF_SCOPE = DeadReason.REDIRECT_TO_OTHER_DOMAIN, DeadReason.REDIRECT_OUT_OF_SCOPE

FROM = "https://www.paper.example/a"
SCOPE, NEAR, FAR = "https://www.paper.example/b", "https://cdn.paper.example/b", "https://other.example/b"
ANY, DOMAIN = RedirectScope.ANY, RedirectScope.SAME_DOMAIN


def plan(*, kind: str = "watch", mode: str = "both", seeds: bool = True, **policy: object) -> CrawlPlan:
    stored = policy | ({"seeds": ["https://www.paper.example/"]} if seeds else {})
    owner = UrlOwner(2, "paper", Policy.from_json(stored), kind=OwnerKind(kind), mode=Mode(mode))
    return CrawlPlan.of(owner, depth_cap=10)


@pytest.mark.parametrize(
    ("origin", "depth", "of", "refused"),
    [
        pytest.param(UrlOrigin.FEED, 0, plan(mode="feed"), {}, id="announced by a feed"),
        pytest.param(
            UrlOrigin.SITEMAP, 0, plan(), {}, id="announced by a sitemap of a source that is walked"
        ),
        pytest.param(UrlOrigin.SPIDER, 0, plan(), {}, id="found by a link, then announced"),
        pytest.param(
            UrlOrigin.SPIDER, 1, plan(), {NEAR: OUT_OF_SCOPE, FAR: OUT_OF_SCOPE}, id="found by a link"
        ),
        pytest.param(
            UrlOrigin.SPIDER, 1, plan(scope="domain"), {FAR: OUT_OF_SCOPE}, id="within the domain of a walk"
        ),
        pytest.param(
            UrlOrigin.MANUAL,
            0,
            plan(kind="crawl"),
            {NEAR: OUT_OF_SCOPE, FAR: OUT_OF_SCOPE},
            id="a start page",
        ),
        pytest.param(
            UrlOrigin.MANUAL, 0, plan(mode="feed"), {}, id="named for a source that follows no links"
        ),
        pytest.param(UrlOrigin.MANUAL, 0, plan(kind="crawl", seeds=False), {}, id="named for no source"),
        pytest.param(
            UrlOrigin.FEED,
            0,
            plan(redirect_scope="same_domain"),
            {FAR: OTHER_DOMAIN},
            id="kept in its domain",
        ),
        pytest.param(
            UrlOrigin.SPIDER,
            1,
            plan(scope="any", redirect_scope="same_domain"),
            {FAR: OTHER_DOMAIN},
            id="a link kept in its domain",
        ),
    ],
)
def test_where_a_redirect_may_lead(origin: UrlOrigin, depth: int, of: CrawlPlan, refused: dict[str, str]):
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

    assert refusal_of_target(entry(FROM, origin=UrlOrigin.FEED), FAR, of, general) == refusal


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
    refusal = refusal_of_target(entry(source, origin=UrlOrigin.FEED), target, plan(), DOMAIN)

    assert (refusal is None) == is_same


NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
HOURS = timedelta(hours=1)


def seen(status: int, first: datetime, to: str = FAR) -> SeenRedirect:
    return SeenRedirect(to, status, first, first, 1)


@pytest.mark.parametrize(
    ("status", "before", "moved"),
    [
        pytest.param(301, [], False, id="the first permanent redirect"),
        pytest.param(301, [seen(301, NOON - 24 * HOURS)], True, id="the same again, a day later"),
        pytest.param(308, [seen(301, NOON - 24 * HOURS)], True, id="permanent in another word"),
        pytest.param(301, [seen(308, NOON - 30 * 24 * HOURS)], True, id="a month later"),
        pytest.param(301, [seen(301, NOON - 12 * HOURS)], False, id="since midnight: the same day"),
        pytest.param(301, [seen(301, NOON - 12.1 * HOURS)], True, id="since the evening before"),
        pytest.param(302, [seen(302, NOON - 72 * HOURS)], False, id="temporary, for days"),
        pytest.param(303, [seen(301, NOON - 24 * HOURS)], False, id="temporary now"),
        pytest.param(307, [seen(308, NOON - 24 * HOURS)], False, id="temporary now, by 307"),
        pytest.param(301, [seen(302, NOON - 24 * HOURS)], False, id="temporary before"),
        pytest.param(301, [seen(301, NOON - 24 * HOURS, NEAR)], False, id="to another target before"),
        pytest.param(
            301,
            [seen(302, NOON - 2 * HOURS), seen(301, NOON - 24 * HOURS)],
            True,
            id="temporary in between",
        ),
    ],
)
def test_when_a_page_is_believed_to_have_moved(status: int, before: list[SeenRedirect], moved: bool):
    answer = Redirected(Exchange(FROM, status, {}, 7), FAR, FAR)

    assert has_moved(answer, PageRedirects(NOON, before)) is moved


def test_two_answers_around_midnight_are_one_night():
    answer = Redirected(Exchange(FROM, 301, {}, 7), FAR, FAR)
    after_midnight = datetime(2026, 11, 17, 0, 30, tzinfo=UTC)

    assert not has_moved(answer, PageRedirects(after_midnight, [seen(301, after_midnight - HOURS)]))


def test_a_target_that_cannot_be_followed_is_known_by_its_text():
    answer = Redirected(Exchange(FROM, 301, {}, 7), "mailto:a@b.example", None, "no web address")
    before = [seen(301, NOON - 24 * HOURS, "mailto:a@b.example")]

    assert has_moved(answer, PageRedirects(NOON, before))
