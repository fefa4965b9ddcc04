"""What robots.txt blocks is looked at again by itself; only robots.txt is asked until it allows more."""

from datetime import timedelta

import pytest
from tests.support.newsroom import Answer, Engine, Newsroom, Request, feed, sitemap_at
from tests.support.publications import page, rss, sitemap

from outrider.crawl.robots.robots_cache import RobotsCache
from outrider.frontier.model import EntryKind
from outrider.watch.blocked import FIRST_HOST, queue_all_blocked, queue_blocked
from outrider.watch.channels.model import FoundBy, NewChannel

DAY_S = 86_400.0


class Rules:
    """A robots.txt that somebody edits."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __call__(self, asked: Request) -> Answer:
        return Answer(body=self.text.encode(), headers={"Content-Type": "text/plain"})


async def a_day_later(engine: Engine) -> None:
    """The stored robots.txt has expired, for a worker that starts now."""
    await engine.skip(timedelta(seconds=DAY_S + 5))
    engine.context.robots_cache = RobotsCache()


@pytest.mark.parametrize("kind", ["feed", "sitemap", "candidate"])
async def test_a_blocked_channel_comes_back_once_the_rules_allow_it(
    engine: Engine, room: Newsroom, kind: str
):
    rules = Rules("User-agent: *\nDisallow: /news")
    room.publish("/robots.txt", rules)
    answer = rss([("/a", None)]) if kind == "feed" else sitemap([("/a", None)])
    url = room.publish("/news", answer)
    channel = {
        "feed": feed(url),
        "sitemap": sitemap_at(url),
        "candidate": NewChannel(url, EntryKind.SITEMAP, FoundBy.ROBOTS, is_candidate=True),
    }[kind]
    await engine.watch("news", room.origin(), channel)
    await engine.round()
    blocked = await engine.channel(url)
    await a_day_later(engine)
    await engine.round()
    still_blocked, files_asked = await engine.channel(url), len(room.asked("/robots.txt"))
    asked_while_blocked = room.asked("/news")
    rules.text = "User-agent: *\nDisallow: /private"
    await a_day_later(engine)
    await engine.round()

    back = await engine.channel(url)
    assert blocked["next_in_s"] == pytest.approx(DAY_S, abs=60)
    assert (blocked["reason"], blocked["disable_reason"]) == ("robots_blocked", "robots_blocked")
    assert blocked["last_error"] == "blocked by robots.txt (line 2)"
    assert still_blocked["next_in_s"] == pytest.approx(DAY_S, abs=60)
    assert (files_asked, asked_while_blocked) == (2, [])
    assert (back["items"], back["errors"], back["disabled_at"], back["is_candidate"]) == (1, 0, None, False)


async def test_a_channel_whose_redirect_is_blocked_comes_back_as_well(engine: Engine, room: Newsroom):
    rules = Rules("User-agent: *\nDisallow: /")
    room.publish("/robots.txt", rules, site=1)
    target = room.publish("/news", rss([("/a", None)]), site=1)
    url = room.publish("/feed", Answer(302, headers={"Location": target}))
    await engine.watch("news", room.origin(), feed(url))
    await engine.round()
    blocked = await engine.channel(url)
    rules.text = ""
    await a_day_later(engine)
    await engine.round()

    back = await engine.channel(url)
    assert blocked["last_error"] == f"blocked by robots.txt (line 2) at {target}, where it redirects"
    assert blocked["next_in_s"] == pytest.approx(DAY_S, abs=60)
    assert (back["items"], back["errors"], back["disabled_at"]) == (1, 0, None)


async def test_rules_that_change_sooner_wake_a_blocked_feed_at_once(engine: Engine, room: Newsroom):
    """The feed was blocked later than the page was fetched, so it waits longer."""
    rules = Rules("User-agent: *\nDisallow: /news")
    room.publish("/robots.txt", rules)
    url, other = room.publish("/news", rss([("/a", None)])), room.publish("/other", rss([("/b", None)]))
    await engine.watch("news", room.origin(), feed(url), feed(other))
    await engine.round()
    await engine.run(lambda db: db.execute("UPDATE robots SET expires_at = now()"))
    engine.context.robots_cache = RobotsCache()
    rules.text = ""
    await engine.skip(timedelta(hours=2))
    await engine.round()

    assert len(room.asked("/news")) == 1
    assert (await engine.channel(url))["disabled_at"] is None


async def test_blocked_pages_of_a_host_that_nothing_else_asks_are_looked_at_again(
    engine: Engine, room: Newsroom
):
    """The feed is elsewhere and announces nothing new: only the look itself can ask for robots.txt."""
    rules = Rules("User-agent: *\nDisallow: /")
    room.publish("/robots.txt", rules, site=1)
    pages = [room.publish(f"/{n}", page(f"Page {n}"), site=1) for n in range(3)]
    url = room.publish("/feed", rss([(each, None) for each in pages]))
    await engine.watch("news", room.origin(), feed(url))
    await engine.round()
    early = await queue_all_blocked(engine.context.connection, engine.context.frontier)
    await a_day_later(engine)
    queued = await queue_all_blocked(engine.context.connection, engine.context.frontier)
    await engine.round()
    asked_while_blocked = room.asked(site=1)
    rules.text = "User-agent: *\nDisallow: /2"
    await a_day_later(engine)
    await queue_all_blocked(engine.context.connection, engine.context.frontier)
    await engine.round()

    assert (early, queued, asked_while_blocked) == (0, 1, [])
    assert sorted(asked.path for asked in room.asked(site=1)) == ["/0", "/1"]
    assert len(room.asked("/robots.txt", site=1)) == 3


async def test_a_held_or_disabled_source_has_no_page_looked_at(engine: Engine, room: Newsroom):
    room.publish("/robots.txt", Rules("User-agent: *\nDisallow: /"), site=1)
    target = room.publish("/1", page("A page"), site=1)
    url = room.publish("/feed", rss([(target, None)]))
    source_id = await engine.watch("news", room.origin(), feed(url))
    await engine.round()
    await a_day_later(engine)
    await engine.run(lambda db: engine.context.frontier.hold_source(db, source_id))

    assert await queue_all_blocked(engine.context.connection, engine.context.frontier) == 0


async def test_one_pass_looks_at_so_many_hosts_and_the_next_goes_on_after_them(
    engine: Engine, room: Newsroom
):
    for site in (1, 2):
        room.publish("/robots.txt", Rules("User-agent: *\nDisallow: /"), site=site)
    pages = [room.publish("/1", page("A page"), site=site) for site in (1, 2)]
    url = room.publish("/feed", rss([(each, None) for each in pages]))
    await engine.watch("news", room.origin(), feed(url))
    await engine.round()
    await a_day_later(engine)

    frontier = engine.context.frontier
    first = await engine.run(lambda db: queue_blocked(db, frontier, FIRST_HOST, hosts=1))
    second = await engine.run(lambda db: queue_blocked(db, frontier, first.last_host, hosts=1))
    third = await engine.run(lambda db: queue_blocked(db, frontier, second.last_host, hosts=1))

    assert [each.queued for each in (first, second, third)] == [1, 1, 0]
    assert third.last_host is None
