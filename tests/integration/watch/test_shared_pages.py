"""Two sources, or two crawls, that want the same page: one visit serves both."""

from tests.support.newsroom import Engine, MovableClock, Newsroom, feed
from tests.support.publications import moved, page, rss
from tests.support.shared_pages import (
    crawl,
    exported,
    news,
    publish_site,
    totals,
    visit_only,
)
from tests.support.spider import STORY, article, counters, watch

from outrider.documents.export import LINKS, PAGES
from outrider.sources.model import Mode
from outrider.sources.scope import ScopeKind
from outrider.urls import key_of
from outrider.watch.source_service import SourceService


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
