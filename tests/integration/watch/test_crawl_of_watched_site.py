"""A crawl of a watched site visits the pages for itself and leaves them to the source."""

from dataclasses import replace
from datetime import timedelta

from tests.support.newsroom import Answer, Engine, MovableClock, Newsroom
from tests.support.shared_pages import (
    FILLING,
    crawl,
    exported,
    go_on_watching,
    news,
    owner_of,
    publish_site,
    totals,
    visit_only,
)
from tests.support.spider import OTHER_STORY, QUARTER, STORY, article, counters, front, watch

from outrider.documents.export import PAGES
from outrider.documents.packing import unpack
from outrider.urls import key_of

TEXT = "SELECT versions, packed_text(text_id) AS text FROM document WHERE url_hash = $1"


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
    """The source follows links one level deep; the crawl starts at an article, and goes on from there."""
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
        [row] = await engine.rows(TEXT, key_of(home).hash)
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


async def test_a_text_is_read_in_the_same_way_for_whichever_source_asks(engine: Engine, room: Newsroom):
    """EXT-18: the source reads main text and the crawl does not; in turns that would change it each time."""
    home = publish_site(room)
    html = article("bridge")
    story = room.publish(STORY, replace(html, body=html.body + b"<div class=sidebar>Menu of this site</div>"))
    await watch(engine, home)
    await engine.round()

    await crawl(engine, story)
    await engine.round()

    [row] = await engine.rows(TEXT, key_of(story).hash)
    assert len(room.asked(STORY)) == 2
    assert row["versions"] == 1
    assert "Menu of this site" not in unpack(row["text"])


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
