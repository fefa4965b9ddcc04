"""Walking a watched source: articles become documents, lists are visited again, links outside are noted."""

from datetime import timedelta
from typing import Any

import pytest
from tests.support.newsroom import Answer, Engine, Newsroom
from tests.support.prose import prose
from tests.support.publications import conditional, moved, rss
from tests.support.spider import OTHER_STORY, QUARTER, STORY, article, counters, front, html_page, watch

from outrider.documents.packing import pack
from outrider.sources.model import Mode
from outrider.watch.source_service import SourceService


async def states(engine: Engine) -> dict[str, tuple[Any, ...]]:
    rows = await engine.rows(
        "SELECT url, origin, depth, status, parent_url FROM url_frontier WHERE kind = 'page' ORDER BY url"
    )
    return {row["url"]: tuple(row)[1:] for row in rows}


async def documents(engine: Engine) -> dict[str, tuple[str, str | None]]:
    rows = await engine.rows(
        "SELECT u.url, d.page_type, d.unindexed FROM document d JOIN url u USING (host_id, url_hash)"
    )
    return {row["url"]: (row["page_type"], row["unindexed"]) for row in rows}


async def test_articles_become_documents_and_lists_lead_to_them(engine: Engine, room: Newsroom):
    """SPI-01, SPI-02, SPI-12, SPI-15."""
    home = room.publish("/", front([STORY, "/politics", *(f"/section-{n}" for n in range(6))]))
    politics = room.publish("/politics", front([OTHER_STORY, *(f"/section-{n}" for n in range(6))]))
    story = room.publish(STORY, article("bridge"))
    other = room.publish(OTHER_STORY, article("short"))
    source = await watch(engine, home)

    await engine.round()

    found = await states(engine)
    assert found[home] == ("manual", 0, "pending", None), "it is looked at again"
    assert found[politics] == ("spider", 1, "pending", home)
    assert found[story] == ("spider", 1, "fetched", home)
    assert found[other] == ("spider", 2, "fetched", politics)
    kept = await documents(engine)
    assert kept[story] == kept[other] == ("article", None)
    assert kept[home] == kept[politics] == ("listing", "page_type")
    texts = await engine.rows("SELECT packed_text(text_id) AS text FROM document WHERE page_type = 'listing'")
    assert {row["text"] for row in texts} == {pack("")}, "nothing of them is kept but that they were there"
    counts = await counters(engine, source.source_id)
    assert (counts["documents"], counts["extract.type.article"]) == (2, 2)
    assert counts["extract.skipped.page_type"] == 2


async def test_a_second_round_fetches_only_what_is_new(engine: Engine, room: Newsroom):
    stories = [STORY]
    home = room.publish("/", conditional(lambda _: front([*stories, *(f"/x{n}" for n in range(6))])))
    room.publish(STORY, article("bridge"))
    room.publish(OTHER_STORY, article("short"))
    await watch(engine, home)
    await engine.round()
    before = len(room.asked())

    await engine.skip(QUARTER)
    await engine.round()
    quiet = [(each.path, each.status) for each in room.asked()[before:]]
    stories.insert(0, OTHER_STORY)
    await engine.skip(timedelta(hours=1))
    await engine.round()

    assert quiet == [("/", 304)]
    assert [each.path for each in room.asked()[before + 1 :]] == ["/", OTHER_STORY]


async def test_a_list_with_more_new_links_is_visited_more_often(engine: Engine, room: Newsroom):
    home = room.publish("/", front(["/news/2024/05/16/the-first-of-many"]))
    await watch(engine, home)
    await engine.round()

    async def interval() -> int:
        [row] = await engine.rows("SELECT interval_s FROM listing")
        found: int = row["interval_s"]
        return found

    assert await interval() == 900
    room.publish("/", front([]))
    for expected in (1350, 2025):
        await engine.skip(timedelta(seconds=await interval() + 1))
        await engine.round()
        assert await interval() == expected
        [row] = await engine.rows(
            f"SELECT next_fetch_at - now() AS wait FROM url_frontier WHERE url = '{home}'"
        )
        assert row["wait"].total_seconds() > 900, "the next visit follows the new interval"
    room.publish("/", front([STORY]))
    await engine.skip(timedelta(seconds=2026))
    await engine.round()
    assert await interval() == 1012


async def test_in_mode_feed_only_what_feeds_announce_is_asked_for(engine: Engine, room: Newsroom):
    """SRC-02: links of pages are not followed, and links outside are still noted."""
    announced = room.publish("/feed", rss([(STORY, None)]))
    story = room.publish(STORY, article("bridge", [OTHER_STORY, "https://elsewhere.example/report"]))
    source = await watch(engine, room.origin() + "/", Mode.FEED, feed=announced)

    await engine.round()

    assert list(await states(engine)) == [story]
    rows = await engine.rows("SELECT url, domain, parent_url, source_id FROM discovered_link")
    assert [tuple(row) for row in rows] == [
        ("https://elsewhere.example/report", "elsewhere.example", story, source.source_id)
    ]


async def test_what_a_feed_announces_is_an_article_because_it_says_so(engine: Engine, room: Newsroom):
    announced = room.publish("/feed", rss([("/p1", None)]))
    page = room.publish("/p1", article("bridge"))
    await watch(engine, room.origin() + "/", Mode.FEED, feed=announced)

    await engine.round()

    assert (await documents(engine))[page][1] is None


async def test_patterns_decide_what_is_an_article(engine: Engine, room: Newsroom):
    """SPI-03: with patterns only they count, and a page they do not name is there for its links."""
    home = room.publish("/", front(["/meldung/17", STORY]))
    wanted = room.publish("/meldung/17", article("bridge"))
    unwanted = room.publish(STORY, article("short"))
    await watch(engine, home, article_pattern=r"/meldung/\d+$")

    await engine.round()

    kept = await documents(engine)
    assert kept[wanted][1] is None
    assert kept[unwanted][1] == "url_filter"


async def test_a_page_with_next_to_nothing_on_it_is_fetched_and_not_indexed(engine: Engine, room: Newsroom):
    """EXT-12, GAP-06."""
    announced = room.publish("/feed", rss([("/short", None)]))
    short = room.publish("/short", html_page("<title>Short</title><p>Only a few words.</p>"))
    source = await watch(engine, room.origin() + "/", Mode.FEED, feed=announced)

    await engine.round()

    assert (await states(engine))[short][2] == "fetched"
    assert (await documents(engine))[short] == ("stub", "quality_gate")
    assert (await counters(engine, source.source_id))["extract.skipped.quality_gate"] == 1


async def test_the_ways_an_article_was_seen_include_the_walk(engine: Engine, room: Newsroom):
    home = room.publish("/", front([STORY, "/contact"]))
    room.publish(STORY, article("bridge"))
    await watch(engine, home)

    await engine.round()

    rows = await engine.rows(
        "SELECT u.url, s.way, s.published_at::date::text FROM sighting s JOIN url u USING (host_id, url_hash)"
    )
    assert [tuple(row) for row in rows] == [(room.origin() + STORY, "spider", "2024-05-17")]


async def test_the_front_page_is_never_given_up(engine: Engine, room: Newsroom):
    home = room.publish("/", Answer(404))
    await watch(engine, home)

    await engine.round()
    gone = await engine.rows(
        "SELECT reason, next_fetch_at > now() + interval '23 hours' FROM url WHERE kind = 0"
    )
    room.publish("/", front([STORY]))
    room.publish(STORY, article("bridge"))
    await engine.skip(timedelta(days=1, seconds=1))
    await engine.round()

    assert [tuple(row) for row in gone] == [("not_found", True)]
    assert (await states(engine))[room.origin() + STORY][2] == "fetched"


async def test_articles_are_fetched_again_where_the_source_asks_for_it(engine: Engine, room: Newsroom):
    announced = room.publish("/feed", conditional(rss([(STORY, None)])))
    room.publish(STORY, conditional(article("bridge")))
    await watch(engine, room.origin() + "/", Mode.FEED, feed=announced, recrawl="2d")
    await engine.round()

    await engine.skip(timedelta(days=2, seconds=1))
    await engine.round()
    await engine.skip(timedelta(days=2, seconds=1))
    await engine.round()

    assert [each.status for each in room.asked(STORY)] == [200, 304, 304]


@pytest.mark.parametrize(
    ("policy", "recorded", "asked"),
    [
        ("ignore", [], 0),
        ("record", [("queued", "discovered")], 1),
        ("frontier", [("queued", "discovered")], 1),
    ],
)
async def test_links_outside_follow_the_policy_of_their_source(
    engine: Engine, room: Newsroom, policy: str, recorded: list[tuple[str, str | None]], asked: int
):
    """SPI-08, CON-20: a link to a site that is watched is queued under the source that watches it."""
    theirs = room.publish(STORY, article("theirs"), site=1)
    home = room.publish("/", front(["/contact", theirs]))
    neighbour = await watch(engine, room.origin(1) + "/", Mode.FEED, name="neighbour")
    source = await watch(engine, home, external=policy)

    await engine.round()

    rows = await engine.rows(
        "SELECT l.status, f.origin, f.source, l.source_id FROM discovered_link l "
        "LEFT JOIN url_frontier f ON f.url = l.url"
    )
    assert [(row["status"], row["origin"]) for row in rows] == recorded
    assert {row["source_id"] for row in rows} <= {source.source_id}
    assert {row["source"] for row in rows} <= {None, neighbour.name}
    assert len(room.asked(STORY, site=1)) == asked


@pytest.mark.parametrize(("policy", "status", "asked"), [("record", "new", 0), ("frontier", "queued", 1)])
async def test_a_link_to_a_site_that_no_source_watches(
    engine: Engine, room: Newsroom, policy: str, status: str, asked: int
):
    """Recorded, and queued only where the source says so; its own links are not followed."""
    room.publish("/further", article("further"), site=1)
    theirs = room.publish(STORY, front(["/further"]), site=1)
    home = room.publish("/", front(["/contact", theirs]))
    await watch(engine, home, external=policy)

    await engine.round()

    rows = await engine.rows(
        "SELECT l.status, f.source FROM discovered_link l LEFT JOIN url_frontier f USING (url)"
    )
    assert [row["status"] for row in rows if row["status"] != "new"] == ([status] if asked else [])
    assert {row["source"] for row in rows} <= {None, "adhoc"}
    assert len(room.asked(STORY, site=1)) == asked
    assert room.asked("/further", site=1) == []


async def test_what_one_source_refuses_another_may_want(engine: Engine, room: Newsroom):
    """A link that is out of scope for its finder must not be forgotten for the site it belongs to."""
    theirs = room.origin(1) + STORY
    ours = room.publish("/", front([theirs, "/contact"]))
    await watch(engine, ours, name="ours")
    await engine.round()
    room.publish("/", front([theirs, "/contact"]), site=1)
    room.publish(STORY, article("theirs"), site=1)
    await watch(engine, room.origin(1) + "/", name="theirs")

    await engine.round()

    assert (await states(engine))[theirs][2] == "fetched"


async def test_selectors_of_the_source_are_used(engine: Engine, room: Newsroom):
    """EXT-04: what is configured is what is kept."""
    story = f"<div class=story><p>{prose('x', 80)}</p><i class=ad>Buy now</i></div>"
    body = f"<div class=head>By the selector</div>{story}"
    announced = room.publish("/feed", rss([("/1", None)]))
    room.publish(
        "/1", html_page(f"<title>By the title</title><article><p>{prose('y', 200)}</p></article>{body}")
    )
    source = await watch(
        engine,
        room.origin() + "/",
        Mode.FEED,
        feed=announced,
        selectors='{"article": {"title": ".head", "body": ".story", "exclude": [".ad"]}}',
    )

    await engine.round()

    [row] = await engine.rows("SELECT title, words FROM document")
    assert tuple(row) == ("By the selector", 80)
    assert (await counters(engine, source.source_id))["extract.method.selector"] == 1


async def test_a_disabled_source_gets_no_links_of_other_sources(engine: Engine, room: Newsroom):
    """SPI-08: only a source that is enabled gets what others link to."""
    theirs = room.publish(STORY, article("theirs"), site=1)
    home = room.publish("/", front(["/contact", theirs]))
    neighbour = await watch(engine, room.origin(1) + "/", Mode.FEED, name="neighbour")
    source_service = SourceService(engine.context.frontier)
    await engine.run(lambda db: source_service.disable(db, neighbour, "resting"))
    await watch(engine, home, external="frontier")

    await engine.round()

    assert [row["status"] for row in await engine.rows("SELECT status FROM discovered_link")] == ["new"]
    assert theirs not in await states(engine)


async def test_in_mode_both_the_feed_and_the_links_each_bring_what_they_know(engine: Engine, room: Newsroom):
    """SRC-02: what both show comes once, by the way that showed it first."""
    stories = [STORY]
    home = room.publish("/", conditional(front([OTHER_STORY, STORY, *(f"/x{n}" for n in range(6))])))
    announced = room.publish("/feed", conditional(lambda _: rss([(path, None) for path in stories])))
    story, other = room.publish(STORY, article("bridge")), room.publish(OTHER_STORY, article("short"))
    await watch(engine, home, Mode.BOTH, feed=announced)

    await engine.round()

    found = await states(engine)
    assert (found[story], found[other]) == (
        ("feed", 0, "fetched", announced),
        ("spider", 1, "fetched", home),
    )
    assert [len(room.asked(path)) for path in (STORY, OTHER_STORY)] == [1, 1]

    before = len(room.asked())
    await engine.skip(QUARTER)
    await engine.round()
    assert {(each.path, each.status) for each in room.asked()[before:]} == {("/", 304), ("/feed", 304)}


@pytest.mark.parametrize(
    ("said", "state"),
    [({}, "alias"), ({"redirects": "dead_and_submit"}, "dead")],
)
async def test_a_source_has_the_last_word_on_redirects(
    engine: Engine, room: Newsroom, said: dict[str, str], state: str
):
    """SRC-17."""
    announced = room.publish("/feed", rss([("/old", None)]))
    old = room.publish("/old", moved(STORY))
    story = room.publish(STORY, article("bridge"))
    await watch(engine, room.origin() + "/", Mode.FEED, feed=announced, **said)

    await engine.round()

    found = await states(engine)
    assert (found[old][2], found[story][2]) == (state, "fetched")


@pytest.mark.parametrize(("link", "priority"), [("/about-us", 4), (STORY, 5)])
async def test_a_link_to_another_source_has_a_lower_priority_than_own_pages(
    engine: Engine, room: Newsroom, link: str, priority: int
):
    """PRI-06: an external link has one less than its looks would give it."""
    theirs = room.origin(1) + link
    home = room.publish("/", front(["/contact", theirs]))
    await watch(engine, room.origin(1) + "/", Mode.FEED, name="neighbour")
    await watch(engine, home, external="frontier")

    await engine.poll(home)

    [row] = await engine.rows("SELECT priority FROM url_frontier WHERE url = $1", theirs)
    assert row["priority"] == priority
