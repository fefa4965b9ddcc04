"""The simulated web honours validators, and only while there is nothing new."""

import asyncio
from dataclasses import replace

import pytest

from outrider.fetch.outcome import Fetched, NotModified, Outcome, Request
from outrider.simulate.articles import newest
from outrider.simulate.kinds import SiteKind
from outrider.simulate.mix import USUAL
from outrider.simulate.sites import DAY_S, START, Site, make_sites
from outrider.simulate.virtual_time import VirtualClock, VirtualLoop
from outrider.simulate.web import SimulatedWeb

SITES = make_sites(seed=3, count=300, mix=USUAL)
HOUR_S = 3600.0


def of_kind(kind: SiteKind) -> Site:
    """One that has validators."""
    return replace(next(site for site in SITES if site.kind is kind), has_validators=True)


def asked_twice(site: Site, path: str, at_s: float, again_s: float) -> tuple[Outcome, Outcome]:
    """The second time with the validator of the first."""
    clock = VirtualClock(START)
    web = SimulatedWeb([site], clock, timeout_s=10)

    async def ask() -> tuple[Outcome, Outcome]:
        await asyncio.sleep(at_s)
        first = await web.fetch(Request(site.origin + path))
        assert isinstance(first, Fetched)
        assert first.etag is not None
        await asyncio.sleep(again_s - at_s)
        return first, await web.fetch(Request(site.origin + path, etag=first.etag))

    with asyncio.Runner(loop_factory=lambda: VirtualLoop(clock)) as runner:
        return runner.run(ask())


def test_what_has_not_changed_is_not_sent_again():
    site = of_kind(SiteKind.BLOG)
    [article] = newest(site, DAY_S, 1)

    _, again = asked_twice(site, article.path, DAY_S, DAY_S + 60)

    assert isinstance(again, NotModified)


def test_a_feed_with_a_new_article_is_sent_whole():
    site = of_kind(SiteKind.NEWS)
    [newer] = newest(site, 2 * DAY_S, 1)

    first, again = asked_twice(site, "/feed", newer.published_s - 60, newer.published_s + 60)

    assert isinstance(first, Fetched)
    assert isinstance(again, Fetched)
    assert newer.path.encode() not in first.body
    assert newer.path.encode() in again.body


@pytest.mark.parametrize(("kind", "expected"), [(SiteKind.SITEMAP, NotModified), (SiteKind.LIAR, Fetched)])
def test_a_liar_sends_the_same_pages_as_news_every_hour(kind: SiteKind, expected: type[Outcome]):
    site = replace(of_kind(kind), posts_a_day=0.0)

    _, again = asked_twice(site, "/sitemap.xml", DAY_S, DAY_S + HOUR_S)

    assert isinstance(again, expected)
