"""One page, several sources: a crawl on a watched site, a source on a crawled site, two watched sources."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from tests.integration.watch.test_spider import OTHER_STORY, QUARTER, STORY, article, counters, front, watch
from tests.support.newsroom import Answer, Engine, MovableClock, Newsroom, feed, sitemap_at
from tests.support.publications import conditional, moved, page, rss, sitemap

from outrider.crawl.lane import work
from outrider.crawl.seeds import Start, start
from outrider.documents.export import LINKS, PAGES, URLS, Selection, Table, export
from outrider.documents.packing import unpack
from outrider.frontier.model import Totals
from outrider.frontier.stats import StatsStore
from outrider.sources.model import Filter, Mode
from outrider.sources.policy import Policy
from outrider.sources.scope import ScopeKind
from outrider.sources.store import SourceStore
from outrider.urls import key_of
from outrider.watch.news import latest
from outrider.watch.source_service import SourceService

FILLING = [f"/section-{n}" for n in range(6)]
DAY = timedelta(days=1)
A_MOMENT = timedelta(seconds=1)  # until a host that was just asked may be asked again


async def crawl(engine: Engine, *seeds: str, **policy: Any) -> Start:
    """`outrider crawl`, up to the moment its workers start."""
    asked, frontier = Policy(seeds=seeds, **policy), engine.context.frontier
    begun: Start = await engine.run(lambda db: start(db, asked, frontier, StatsStore()))
    await engine.skip(A_MOMENT)
    return begun


async def go_on_watching(engine: Engine) -> None:
    await engine.run(SourceService(engine.context.frontier).wake)


async def visit_only(engine: Engine, *urls: str) -> None:
    """Those of these that are due, and nothing they lead to."""
    leases = await engine.run(lambda db: engine.context.frontier.claim(db, 256))
    for lease in leases:
        lease.entries = [entry for entry in lease.entries if entry.url in urls]
        await work(lease, engine.context)
    await engine.context.flusher.flush()
    await engine.skip(A_MOMENT)


async def totals(engine: Engine, source_id: int | None = None) -> Totals:
    found: Totals = await engine.run(lambda db: StatsStore().totals(db, source_id))
    return found


async def news(engine: Engine, source_id: int | None, clock: MovableClock) -> list[str]:
    since = clock.now() - DAY
    return sorted(each.url for each in await engine.run(lambda db: latest(db, source_id, since, 50)))


async def exported(engine: Engine, table: Table, source: str | None) -> list[str]:
    """The first address in each row."""

    async def read(db: Any) -> list[str]:
        rows = [row async for batch in export(db, table, Selection(source=source)) for row in batch]
        return sorted(row[1 if table is URLS else 0] for row in rows)

    found: list[str] = await engine.run(read)
    return found


async def owner_of(engine: Engine, url: str) -> int:
    row = await engine.run(lambda db: StatsStore().find(db, key_of(url)))
    found: int = row["source_id"]
    return found


def publish_site(room: Newsroom, stories: Sequence[str] = (STORY,)) -> str:
    for path in (STORY, OTHER_STORY):
        room.publish(path, conditional(article(path)))
    return room.publish("/", conditional(lambda _: front([*stories, *FILLING])))


async def test_a_crawl_of_a_watched_front_page_leaves_it_to_its_source(
    engine: Engine, room: Newsroom, clock: MovableClock
):
    """FRO-16: the crawl visits it now and follows its links; the source keeps it, its rhythm and its news."""
    stories = [STORY]
    home = publish_site(room, stories)
    source = await watch(engine, home)
    await engine.round()
    stories.insert(0, OTHER_STORY)

    begun = await crawl(engine, home)
    await engine.round()

    story, other = room.origin() + STORY, room.origin() + OTHER_STORY
    assert [len(room.asked(path)) for path in ("/", STORY, OTHER_STORY)] == [2, 1, 1]
    assert [await owner_of(engine, url) for url in (home, story, other)] == [source.source_id] * 3
    assert await news(engine, source.source_id, clock) == sorted([story, other])
    of_crawl = await totals(engine, begun.source.source_id)
    assert (of_crawl.pending, of_crawl.others["pages"]) == (0, 2), "the front page, and what is new on it"
    assert await exported(engine, PAGES, begun.source.name) == sorted([home, story, other])
    [row] = await engine.rows("SELECT count(*) AS n FROM document WHERE url_hash = $1", key_of(other).hash)
    assert row["n"] == 1

    await go_on_watching(engine)
    before = len(room.asked())
    await engine.skip(QUARTER)
    await engine.round()
    assert [(each.path, each.status) for each in room.asked()[before:]] == [("/", 304)], "as often as before"


async def test_a_crawl_counts_and_follows_by_its_own_policy(engine: Engine, room: Newsroom):
    """The source walks one link deep; the crawl starts at an article, and goes on from there."""
    home = room.publish("/", front([STORY, *FILLING]))
    story = room.publish(STORY, article("bridge", ["/archive/1"]))
    deep = room.publish("/archive/1", article("archive", ["/archive/2"]))
    deeper = room.publish("/archive/2", article("older"))
    source = await watch(engine, home, depth="1")
    await engine.round()
    assert [len(room.asked(path)) for path in (STORY, "/archive/1")] == [1, 0]

    begun = await crawl(engine, story, max_depth=3)
    await engine.round()

    assert [len(room.asked(path)) for path in ("/", STORY, "/archive/1", "/archive/2")] == [1, 2, 1, 1]
    mine = begun.source.source_id
    assert [await owner_of(engine, url) for url in (story, deep, deeper)] == [source.source_id, mine, mine]
    depths = await engine.rows("SELECT url, depth FROM url_frontier WHERE url = ANY ($1)", [deep, deeper])
    assert {row["url"]: row["depth"] for row in depths} == {deep: 1, deeper: 2}
    counts = await counters(engine, mine)
    assert (counts["pages"], counts["requests"], counts.get("pending", 0)) == (3, 3, 0)


async def test_a_page_limit_of_a_crawl_counts_the_pages_it_shares(engine: Engine, room: Newsroom):
    home = publish_site(room)
    await watch(engine, home)
    await engine.round()

    begun = await crawl(engine, home, room.publish("/else", article("else")), max_pages=1)
    for _ in range(3):
        await visit_only(engine, home, room.origin() + "/else")

    assert (await counters(engine, begun.source.source_id))["pages"] == 1
    assert len(room.asked("/")) + len(room.asked("/else")) == 2, (
        "one for the source before, one for the crawl"
    )


async def test_what_its_source_refuses_is_visited_for_the_crawl_alone(engine: Engine, room: Newsroom):
    """The source leaves its archive out; a crawl of that archive is not its concern."""
    home = room.publish("/", front(["/archive/1", *FILLING]))
    archived = room.publish("/archive/1", article("archive", [STORY]))
    story = room.publish(STORY, article("bridge"))
    source = await watch(engine, home)
    await visit_only(engine, home)
    policy = 'UPDATE source SET policy = policy || \'{"exclude": ["/archive/"]}\' WHERE source_id = $1'
    await engine.rows(policy, source.source_id)
    engine.context.plans._plans.clear()

    begun = await crawl(engine, archived)
    await engine.round()

    assert [len(room.asked(path)) for path in ("/archive/1", STORY)] == [1, 1]
    assert await owner_of(engine, archived) == source.source_id
    rows = await engine.rows(
        "SELECT source_id, state, reason FROM url_source WHERE url_hash = $1 ORDER BY source_id",
        key_of(archived).hash,
    )
    assert [tuple(row) for row in rows] == [
        (source.source_id, 3, "out_of_scope"),
        (begun.source.source_id, 2, None),
    ]
    assert await owner_of(engine, story) == begun.source.source_id


async def test_the_text_of_a_list_is_kept_for_the_crawl_that_wants_it(engine: Engine, room: Newsroom):
    """A source keeps no text of its lists, a crawl does; the next visit for the source leaves it there."""
    home = publish_site(room)
    await watch(engine, home)
    await engine.round()

    async def text() -> str:
        [row] = await engine.rows("SELECT text FROM document WHERE url_hash = $1", key_of(home).hash)
        return unpack(row["text"])

    assert await text() == ""
    await crawl(engine, home)
    await engine.round()
    assert STORY in await text()

    await go_on_watching(engine)
    room.publish("/", front([STORY, "/section-new", *FILLING]))
    await engine.skip(timedelta(hours=1))
    await engine.round()
    assert "/section-new" in await text()


async def test_a_feed_that_announces_what_a_crawl_fetched_before_is_news_to_its_source(
    engine: Engine, room: Newsroom, clock: MovableClock
):
    items: list[tuple[str, datetime | None]] = []
    announced = room.publish("/feed", conditional(lambda _: rss(items)))
    home = publish_site(room)
    story = room.origin() + STORY
    source_id = await engine.watch("news", home, feed(announced))
    await engine.round()
    begun = await crawl(engine, home)
    await engine.round()
    assert await owner_of(engine, story) == begun.source.source_id
    assert await news(engine, source_id, clock) == []

    await go_on_watching(engine)
    items.append((STORY, None))
    await engine.skip(QUARTER)
    await engine.round()

    assert len(room.asked(STORY)) == 1, "it is there already"
    assert await news(engine, source_id, clock) == [story]
    assert (await engine.channel(announced))["new_items"] == 1
    assert (await totals(engine, source_id)).fetched == 1
    [shown], _ = await engine.run(lambda db: SourceStore().page(db, Filter()))
    assert (shown.documents, shown.pages) == (1, 0), "it has one that it did not fetch"
    assert await exported(engine, PAGES, "news") == [story]
    assert story in await exported(engine, URLS, "news")
    everything = await exported(engine, PAGES, None)
    assert everything.count(story) == 1


@pytest.mark.parametrize("by", ["feed", "sitemap", "spider"])
async def test_a_source_added_to_a_crawled_site_has_its_pages(
    engine: Engine, room: Newsroom, clock: MovableClock, by: str
):
    home = publish_site(room)
    story = room.origin() + STORY
    begun = await crawl(engine, home)
    await engine.round()

    if by == "spider":
        source_id = (await watch(engine, home, name="news")).source_id
    elif by == "feed":
        source_id = await engine.watch("news", home, feed(room.publish("/feed", rss([(STORY, None)]))))
    else:
        listed = room.publish("/sitemap.xml", sitemap([(STORY, None)]))
        source_id = await engine.watch("news", home, sitemap_at(listed))
    await engine.skip(A_MOMENT)
    await engine.round()

    assert len(room.asked(STORY)) == 1
    assert await news(engine, source_id, clock) == [story]
    assert story in await exported(engine, PAGES, "news")
    assert story in await exported(engine, PAGES, begun.source.name)
    if by == "spider":
        assert len(room.asked("/")) == 2, "the front page is looked at for the source, once"
        assert await owner_of(engine, home) == begun.source.source_id
        assert (await totals(engine, begun.source.source_id)).pending == 0, "the crawl is over"
        assert (await totals(engine, source_id)).pending >= 1, "and the source looks again"


async def test_a_crawl_that_is_over_is_not_followed_further_when_its_pages_are_visited(
    engine: Engine, room: Newsroom
):
    """What the source finds on the crawl's start page later is the source's alone."""
    stories = [STORY]
    home = publish_site(room, stories)
    begun = await crawl(engine, home)
    await engine.round()
    source = await watch(engine, home)
    await engine.skip(A_MOMENT)
    await engine.round()
    stories.insert(0, OTHER_STORY)

    await engine.skip(QUARTER)
    await engine.round()

    assert await owner_of(engine, room.origin() + OTHER_STORY) == source.source_id
    assert room.origin() + OTHER_STORY not in await exported(engine, URLS, begun.source.name)


async def test_two_sources_that_announce_a_page_both_have_it(
    engine: Engine, room: Newsroom, clock: MovableClock
):
    """Aggregators: fetched once, and in the counts, the news and the export of each."""
    room.publish(STORY, page("bridge"))
    story = room.origin() + STORY
    first, second = [
        await engine.watch(
            name, room.origin(site), feed(room.publish("/feed", rss([(story, None)]), site=site))
        )
        for site, name in enumerate(("first", "second"))
    ]

    await engine.round()

    assert len(room.asked(STORY)) == 1
    for source_id, name in ((first, "first"), (second, "second")):
        assert await news(engine, source_id, clock) == [story]
        counts = await counters(engine, source_id)
        assert (counts["pages"], counts["documents"], counts["fetched"]) == (1, 1, 1)
        assert await exported(engine, PAGES, name) == [story]
        assert len(await exported(engine, LINKS, name)) == len(await exported(engine, LINKS, None))
    assert await news(engine, None, clock) == [story], "on the board once"
    everything = await totals(engine)
    assert (everything.fetched, everything.others["pages"], everything.others["documents"]) == (1, 1, 1)
    items = await engine.rows("SELECT new_items FROM channel")
    assert [row["new_items"] for row in items] == [1, 1]


async def test_a_page_two_sources_wait_for_is_fetched_for_the_one_that_is_not_disabled(
    engine: Engine, room: Newsroom, clock: MovableClock
):
    room.publish(STORY, page("bridge"))
    story = room.origin() + STORY
    feeds = [room.publish("/feed", rss([(story, None)]), site=site) for site in (0, 1)]
    first = await watch(engine, room.origin() + "/", Mode.FEED, name="first", feed=feeds[0])
    second = await watch(engine, room.origin(1) + "/", Mode.FEED, name="second", feed=feeds[1])
    await visit_only(engine, *feeds)

    source_service = SourceService(engine.context.frontier)
    await engine.run(lambda db: source_service.disable(db, first, "resting"))
    await engine.round()

    assert len(room.asked(STORY)) == 1
    assert await news(engine, second.source_id, clock) == [story]
    assert (
        (await totals(engine, first.source_id)).pending,
        (await totals(engine, second.source_id)).fetched,
    ) == (
        2,
        1,
    ), "its feed and the page wait for the first one"

    await engine.run(lambda db: source_service.remove(db, first))
    assert await exported(engine, PAGES, "second") == [story]
    assert await news(engine, second.source_id, clock) == [story]


async def test_a_page_is_fetched_again_for_the_source_that_asks_for_it(engine: Engine, room: Newsroom):
    """The crawl that owns it is done with it after one visit, which served both."""
    story = room.publish(STORY, article("bridge"))
    begun = await crawl(engine, story)
    announced = room.publish("/feed", rss([(STORY, None)]))
    source = await watch(engine, room.origin() + "/", Mode.FEED, feed=announced, recrawl="2d")
    await visit_only(engine, announced)

    await engine.round()

    [row] = await engine.rows(
        "SELECT source_id, next_fetch_at > now() + interval '47 hours' AS is_planned "
        "FROM url WHERE url_hash = $1",
        key_of(story).hash,
    )
    assert tuple(row) == (begun.source.source_id, True)
    assert (await totals(engine, begun.source.source_id)).pending == 0
    assert (await totals(engine, source.source_id)).pending == 2, "its feed, and the page"
    assert len(room.asked(STORY)) == 1


async def test_a_text_is_read_in_the_same_way_for_whichever_source_asks(engine: Engine, room: Newsroom):
    """EXT-18: the source reads main text and the crawl does not; in turns that would change it each time."""
    home = publish_site(room)
    html = article("bridge")
    story = room.publish(STORY, replace(html, body=html.body + b"<div class=sidebar>Menu of this site</div>"))
    await watch(engine, home)
    await engine.round()

    await crawl(engine, story)
    await engine.round()

    [row] = await engine.rows("SELECT versions, text FROM document WHERE url_hash = $1", key_of(story).hash)
    assert len(room.asked(STORY)) == 2
    assert row["versions"] == 1
    assert "Menu of this site" not in unpack(row["text"])


async def test_two_sources_that_walk_from_one_page_keep_the_faster_rhythm(engine: Engine, room: Newsroom):
    home = publish_site(room)
    slow = await watch(engine, home, name="slow", poll="2h")
    quick = await watch(engine, home, name="quick", poll="15m")

    await engine.round()

    assert len(room.asked("/")) == 1
    [row] = await engine.rows(
        "SELECT extract(epoch FROM next_fetch_at - now())::float8 AS in_s FROM url WHERE url_hash = $1",
        key_of(home).hash,
    )
    assert 840 < row["in_s"] <= 900
    rows = await engine.rows(
        "SELECT source_id, interval_s FROM listing WHERE url_hash = $1", key_of(home).hash
    )
    assert {row["source_id"]: row["interval_s"] for row in rows} == {
        slow.source_id: 7200,
        quick.source_id: 900,
    }


async def test_a_redirect_leads_on_for_the_sources_whose_scope_it_stays_in(engine: Engine, room: Newsroom):
    """For a crawl of one host it ends there; a crawl that goes anywhere goes on."""
    elsewhere = room.publish("/new", article("elsewhere"), site=1)
    old = room.publish("/old", moved(elsewhere))
    narrow = await crawl(engine, old)
    wide = await crawl(engine, old, room.publish("/other", article("other")), scope=ScopeKind.ANY)

    await engine.round()

    rows = await engine.rows(
        "SELECT source_id, state, reason FROM url_source WHERE url_hash = $1 ORDER BY source_id",
        key_of(old).hash,
    )
    assert [tuple(row) for row in rows] == [
        (narrow.source.source_id, 3, "redirect_out_of_scope"),
        (wide.source.source_id, 4, None),
    ]
    assert await exported(engine, PAGES, wide.source.name) == sorted([elsewhere, room.origin() + "/other"])
    assert await exported(engine, PAGES, narrow.source.name) == []


async def test_a_crawl_of_a_dead_page_of_a_source_says_so_for_both(engine: Engine, room: Newsroom):
    home = room.publish("/", front(["/gone", *FILLING]))
    gone = room.publish("/gone", Answer(410))
    source = await watch(engine, home)
    await engine.round()

    begun = await crawl(engine, gone)
    await engine.round()

    for source_id in (source.source_id, begun.source.source_id):
        found = await totals(engine, source_id)
        assert found.others["dead.gone"] >= 1
    assert (await totals(engine, begun.source.source_id)).dead == 1
    assert len(room.asked("/gone")) == 2
