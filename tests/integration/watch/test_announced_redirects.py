"""Announced pages that redirect are fetched at their final address, for the source that announced them."""

from datetime import timedelta

import asyncpg
import pytest
from tests.support.make import submission
from tests.support.newsroom import Answer, Engine, MovableClock, Newsroom, feed, settings_for, sitemap_at
from tests.support.publications import moved, page, rss, sitemap

from outrider.documents.export import PAGES, Selection, export
from outrider.fetch.guard import networks_of
from outrider.fetch.hops import RedirectScope
from outrider.fetch.names import parse_rules
from outrider.fetch.options import FetchOptions
from outrider.watch.channels.model import DiscoveryMethod
from outrider.watch.discovery_stats import discovery_stats
from outrider.watch.news import latest

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
QUARTER = timedelta(minutes=15, seconds=1)
STATES = "SELECT url, status, last_error, redirects_to FROM url_frontier WHERE kind = 'page' ORDER BY url"


async def states(engine: Engine) -> dict[str, tuple[str, str | None, str | None]]:
    return {row["url"]: tuple(row)[1:] for row in await engine.rows(STATES)}


async def exported(engine: Engine, source: str) -> list[str]:
    async def read(db: asyncpg.Connection) -> list[str]:
        return [row[0] async for rows in export(db, PAGES, Selection(source=source)) for row in rows]

    found: list[str] = await engine.run(read)
    return found


async def test_an_item_that_redirects_to_another_host_is_found_there(
    engine: Engine, room: Newsroom, clock: MovableClock
):
    """RDC-07, FED-06: document, news, export and counts show it at its final address, as the feed's."""
    final = room.publish("/story", page("The story"), site=1)
    old = room.publish("/go/1", moved(final, 302))
    published_at = (clock.now() - HOUR).replace(microsecond=0)
    feed_url = room.publish("/feed", rss([("/go/1", published_at)]))
    source_id = await engine.watch("news", room.origin(), feed(feed_url), seeds=[room.origin() + "/"])

    await engine.round()

    assert await states(engine) == {old: ("alias", None, final), final: ("fetched", None, None)}
    [article] = await engine.run(lambda db: latest(db, source_id, clock.now() - DAY, 10))
    assert (article.source, article.url, article.title, article.way) == (
        "news",
        final,
        "The story",
        DiscoveryMethod.FEED,
    )
    [announced] = await engine.rows(
        "SELECT seen_at FROM sighting g JOIN url u USING (host_id, url_hash) WHERE u.url = $1", old
    )
    assert (article.published_at, article.seen_at) == (published_at, announced["seen_at"])
    assert await exported(engine, "news") == [final]
    [stats] = await engine.run(lambda db: discovery_stats(db, source_id))
    assert (stats.seen, stats.first) == (1, 1)
    [counted] = await engine.rows(
        "SELECT sum(value) AS pages FROM counter WHERE source_id = $1 AND name = 'pages'", source_id
    )
    assert counted["pages"] == 1


async def test_a_later_poll_of_the_old_address_asks_for_nothing(
    engine: Engine, room: Newsroom, clock: MovableClock
):
    """CON-01."""
    final = room.publish("/story", page("The story"), site=1)
    room.publish("/go/1", moved(final))
    room.publish("/go/2", moved(final))
    items = [("/go/1", None)]
    feed_url = room.publish("/feed", lambda _: rss(items))
    source_id = await engine.watch("news", room.origin(), feed(feed_url))
    await engine.round()
    [before] = await engine.run(lambda db: latest(db, source_id, clock.now() - DAY, 10))
    items.append(("/go/2", None))

    await engine.skip(QUARTER, history=False)
    await engine.round()

    assert len(room.asked("/story")) == len(room.asked("/go/1")) == 1
    assert [each.status for each in room.asked("/feed")] == [200, 200]
    assert await engine.run(lambda db: latest(db, source_id, clock.now() - DAY, 10)) == [before]
    assert (await engine.channel(feed_url))["new_items"] == 2


async def test_a_chain_over_three_hosts_ends_at_its_page(engine: Engine, room: Newsroom, clock: MovableClock):
    final = room.publish("/story", page("The story"), site=2)
    third = room.publish("/c", moved(final, 307), site=2)
    second = room.publish("/b", moved(third, 302), site=1)
    first = room.publish("/a", moved(second, 301))
    source_id = await engine.watch("news", room.origin(), feed(room.publish("/feed", rss([("/a", None)]))))

    await engine.round()

    assert {url: row[0] for url, row in (await states(engine)).items()} == {
        first: "alias",
        second: "alias",
        third: "alias",
        final: "fetched",
    }
    [article] = await engine.run(lambda db: latest(db, source_id, clock.now() - DAY, 10))
    assert (article.url, article.way) == (final, DiscoveryMethod.FEED)
    [stats] = await engine.run(lambda db: discovery_stats(db, source_id))
    assert stats.seen == 1


async def test_an_item_on_another_host_may_redirect_within_it(engine: Engine, room: Newsroom):
    final = room.publish("/new", page("The story"), site=1)
    old = room.publish("/old", moved("/new"), site=1)
    listed = room.publish("/feed", rss([(old, None)]))
    await engine.watch("news", room.origin(), feed(listed), seeds=[room.origin() + "/"])

    await engine.round()

    assert await states(engine) == {old: ("alias", None, final), final: ("fetched", None, None)}


async def test_every_hop_obeys_the_robots_txt_of_its_host(engine: Engine, room: Newsroom):
    """RDC-14."""
    room.publish("/robots.txt", Answer(body=b"User-agent: *\nDisallow: /story"), site=1)
    final = room.publish("/story", page("The story"), site=1)
    room.publish("/a", moved(final))
    await engine.watch("news", room.origin(), feed(room.publish("/feed", rss([("/a", None)]))))

    await engine.round()

    assert (await states(engine))[final] == ("dead", "robots_blocked", None)
    assert room.asked("/story") == []


async def test_a_chain_of_announced_pages_has_a_limit(engine: Engine, room: Newsroom):
    for hop in range(8):
        room.publish(f"/{hop}", moved(f"{room.origin((hop + 1) % 2)}/{hop + 1}"), site=hop % 2)
    await engine.watch("news", room.origin(), feed(room.publish("/feed", rss([("/0", None)]))))

    await engine.round()

    assert sorted(row[:2] for row in (await states(engine)).values()) == [
        *[("alias", None)] * 5,
        ("dead", "too_many_redirects"),
    ]


async def test_a_sitemap_that_lists_the_old_address_tells_of_changes_at_the_new_one(
    engine: Engine, room: Newsroom, clock: MovableClock
):
    final = room.publish("/new", page("The story"), site=1)
    room.publish("/old", moved(final))
    changed_at = [clock.now() - DAY]
    listed = room.publish("/map.xml", lambda _: sitemap([("/old", changed_at[0])]))
    await engine.watch("news", room.origin(), sitemap_at(listed))
    await engine.round()

    await engine.skip(timedelta(hours=7))
    changed_at[0] = clock.now() - HOUR
    await engine.round()

    assert len(room.asked("/old")) == 1
    assert len(room.asked("/new")) == 2


async def test_an_old_address_that_is_seen_by_another_way_counts_for_the_page(
    engine: Engine, room: Newsroom, clock: MovableClock
):
    room.publish("/old", moved(room.publish("/new", page("The story"), site=1)))
    feed_url = room.publish("/feed", rss([("/old", None)]))
    source_id = await engine.watch("news", room.origin(), feed(feed_url))
    await engine.round()
    listed = room.publish("/map.xml", sitemap([("/old", clock.now() - HOUR)]))
    await engine.run(
        lambda db: engine.store.add(db, engine.context.frontier, source_id, [sitemap_at(listed)])
    )
    await engine.skip(timedelta(seconds=1), history=False)

    await engine.round()

    stats_by_method = await engine.run(lambda db: discovery_stats(db, source_id))
    assert {stats.way: (stats.seen, stats.first) for stats in stats_by_method} == {
        DiscoveryMethod.FEED: (1, 1),
        DiscoveryMethod.SITEMAP: (1, 0),
    }


async def test_a_link_found_before_it_was_announced_is_followed_once_it_is(
    engine: Engine, room: Newsroom, clock: MovableClock
):
    """A link that leads out of the scope is not followed; the same address in a feed is."""
    final = room.publish("/story", page("The story"), site=1)
    old = room.publish("/2026/11/16/go", moved(final))
    room.publish("/", page("Front", links=["/2026/11/16/go"]))
    items: list[tuple[str, None]] = []
    feed_url = room.publish("/feed", lambda _: rss([*items, ("/nothing", None)]))
    front = room.origin() + "/"
    source_id = await engine.watch("news", front, feed(feed_url), mode="both", seeds=[front])
    await engine.run(
        lambda db: engine.context.frontier.ingest(db, [submission(front, 10, source_id=source_id)])
    )
    await engine.round()
    assert (await states(engine))[old] == ("dead", "redirect_out_of_scope", None)

    items.append(("/2026/11/16/go", None))
    await engine.skip(QUARTER, history=False)
    await engine.round()
    await engine.skip(QUARTER, history=False)
    await engine.round()

    assert (await states(engine))[old] == ("alias", None, final)
    [article] = await engine.run(lambda db: latest(db, source_id, clock.now() - DAY, 10))
    assert (article.url, article.way) == (final, DiscoveryMethod.FEED)
    assert len(room.asked("/2026/11/16/go")) == 2


NAMES = "www.paper.test=127.0.0.2,articles.paper.test=127.0.0.3,elsewhere.test=127.0.0.4"


@pytest.mark.parametrize(
    ("general", "of_source", "ends"),
    [
        (RedirectScope.ANY, None, {"near": "fetched", "far": "fetched"}),
        (RedirectScope.ANY, "same_domain", {"near": "fetched"}),
        (RedirectScope.SAME_DOMAIN, None, {"near": "fetched"}),
        (RedirectScope.SAME_DOMAIN, "any", {"near": "fetched", "far": "fetched"}),
    ],
)
async def test_redirects_may_be_kept_within_their_domain(
    database: str,
    clock: MovableClock,
    room: Newsroom,
    general: RedirectScope,
    of_source: str | None,
    ends: dict[str, str],
):
    """FUT-07: by the source, or else by the setting."""
    fetching = FetchOptions(
        allow_private=networks_of(["127.0.0.0/8"]),
        timeout_s=5,
        resolve=parse_rules(NAMES),
        redirect_scope=general,
    )
    www, articles, elsewhere = (
        f"http://{name}:{room.port}" for name in ("www.paper.test", "articles.paper.test", "elsewhere.test")
    )
    room.publish("/near", moved(f"{articles}/near"))
    room.publish("/far", moved(f"{elsewhere}/far"))
    room.publish("/near", page("near"), site=1)
    room.publish("/far", page("far"), site=2)
    room.publish("/feed", rss([("/near", None), ("/far", None)]))
    policy = {} if of_source is None else {"redirect_scope": of_source}
    async with Engine(database, clock, settings_for(fetch=fetching)) as engine:
        await engine.watch("paper", www, feed(f"{www}/feed"), **policy)
        await engine.round()
        found = await states(engine)

    assert {url.rpartition("/")[2]: row[0] for url, row in found.items() if not url.startswith(www)} == ends
    refused = [row[1] for url, row in found.items() if url == f"{www}/far" and row[0] == "dead"]
    assert refused == ([] if "far" in ends else ["redirect_to_other_domain"])
