"""Pages of watched sources that redirect: a night of maintenance loses nothing, a move is followed."""

from datetime import timedelta
from typing import Any

from tests.support.newsroom import Answer, Engine, MovableClock, Newsroom, feed, sitemap_at
from tests.support.publications import conditional, moved, page, rss, sitemap

from outrider.sources.source_changes import read_changes
from outrider.sources.store import SourceStore
from outrider.urls import key_of
from outrider.watch.news import latest
from outrider.watch.source_service import SourceService

HOUR, DAY, WEEK = timedelta(hours=1), timedelta(days=1), timedelta(days=7)
DAY_S = 86_400.0


async def row(engine: Engine, url: str) -> Any:
    [found] = await engine.rows(
        "SELECT *, extract(epoch FROM next_fetch_at - now())::float8 AS next_in_s "
        "FROM url_frontier WHERE url = $1",
        url,
    )
    return found


async def documents(engine: Engine) -> set[str]:
    rows = await engine.rows("SELECT u.url FROM document d JOIN url u USING (host_id, url_hash)")
    return {each["url"] for each in rows}


async def test_a_night_of_maintenance_leaves_a_source_as_it_was(
    engine: Engine, room: Newsroom, clock: MovableClock
):
    """With a re-crawl of a week: each article is asked again the next day, and then when it is usual."""
    urls = [room.publish(f"/{name}", conditional(page(name))) for name in "ab"]
    room.publish("/maintenance", page("Back soon"))
    feed_url = room.publish("/feed", rss([("/a", None), ("/b", None)]))
    source_id = await engine.watch("news", room.origin(), feed(feed_url), recrawl_s=7 * DAY_S)
    await engine.round()
    before = await engine.run(lambda db: latest(db, source_id, clock.now() - 30 * DAY, 10))

    for name in "ab":
        room.publish(f"/{name}", moved("/maintenance", 302))
    await engine.skip(WEEK, history=False)
    await engine.round()
    asked_again = [await row(engine, url) for url in urls]
    for name in "ab":
        room.publish(f"/{name}", conditional(page(name)))
    await engine.skip(DAY, history=False)
    await engine.round()

    for each in asked_again:
        assert (each["status"], each["last_error"]) == ("pending", "redirect_unconfirmed")
        assert DAY_S - 600 < each["next_in_s"] <= DAY_S
    for url in urls:
        back = await row(engine, url)
        assert (back["status"], back["last_error"], back["redirects_to"]) == ("pending", None, None)
        assert back["next_in_s"] > 6 * DAY_S
    assert [each.status for each in room.asked("/a")] == [200, 302, 304]
    assert room.asked("/maintenance") == []
    assert await documents(engine) == set(urls)
    assert await engine.run(lambda db: latest(db, source_id, clock.now() - 30 * DAY, 10)) == before


async def test_a_site_that_moves_for_good_is_followed_on_the_second_day(
    engine: Engine, room: Newsroom, clock: MovableClock
):
    old = room.publish("/a", page("The story"))
    feed_url = room.publish("/feed", rss([("/a", None)]))
    source_id = await engine.watch("news", room.origin(), feed(feed_url), recrawl_s=DAY_S)
    await engine.round()
    new = room.publish("/b", page("The story, moved"), site=1)
    room.publish("/a", moved(new))

    await engine.skip(DAY + HOUR)
    await engine.round()
    first_day = (await row(engine, old))["status"]
    await engine.skip(DAY + HOUR)
    await engine.round()
    await engine.skip(DAY + HOUR)
    await engine.round()

    assert first_day == "pending"
    assert (await row(engine, old))["redirects_to"] == new
    assert len(room.asked("/a")) == 3
    assert [each.status for each in room.asked("/b")] == [200, 200]
    found = await engine.run(lambda db: latest(db, source_id, clock.now() - 30 * DAY, 10))
    assert [(article.url, article.title) for article in found] == [(new, "The story, moved")]


async def test_lists_and_the_front_page_are_asked_again_at_their_own_intervals(
    engine: Engine, room: Newsroom
):
    front = room.publish("/", page("Front", links=[f"/section-{n}" for n in range(8)]))
    changes = read_changes({"url": front, "mode": "spider", "poll": "15m"}).checked()
    await engine.run(lambda db: SourceService(engine.context.frontier).add(db, changes))
    await engine.round()
    away = room.publish("/closed", page("Closed"), site=1)
    room.publish("/", moved(away, 302))

    for _ in range(5):
        await engine.skip(timedelta(minutes=31))
        await engine.round()
        waiting = await row(engine, front)
        assert (waiting["status"], waiting["last_error"]) == ("pending", "redirect_unconfirmed")
        assert waiting["next_in_s"] <= 1800
    room.publish("/", page("Front", links=["/news-of-today"]))
    await engine.skip(timedelta(minutes=31))
    await engine.round()

    assert [each.status for each in room.asked("/")] == [200, *[302] * 5, 200]
    assert room.asked("/closed") == []
    assert len(room.asked("/news-of-today")) == 1


async def test_what_has_no_time_to_be_asked_again_is_tried_on_three_days(
    engine: Engine, room: Newsroom, clock: MovableClock
):
    """A sitemap says that the page changed; the source itself fetches nothing twice."""
    url = room.publish("/a", page("a"))
    listed = room.publish("/map.xml", sitemap([("/a", clock.now() - DAY)]))
    await engine.watch("news", room.origin(), sitemap_at(listed), sitemap_poll_s=30 * DAY_S)
    await engine.round()
    room.publish("/a", moved("/maintenance", 307))
    await engine.run(lambda db: engine.context.frontier.requeue(db, [key_of(url)]))

    for _ in range(6):
        await engine.skip(DAY + HOUR)
        await engine.round()

    assert [each.status for each in room.asked("/a")] == [200, *[307] * 4]
    left = await row(engine, url)
    assert (left["status"], left["last_error"], left["redirects_to"]) == ("fetched", None, None)


async def test_validators_are_sent_to_a_page_that_redirects_for_now(engine: Engine, room: Newsroom):
    room.publish("/a", conditional(page("a")))
    feed_url = room.publish("/feed", rss([("/a", None)]))
    await engine.watch("news", room.origin(), feed(feed_url), recrawl_s=DAY_S)
    await engine.round()
    room.publish("/a", Answer(302, headers={"Location": "/login"}))

    for _ in range(2):
        await engine.skip(DAY + HOUR)
        await engine.round()

    tags = [each.headers.get("if-none-match", "none") for each in room.asked("/a")]
    assert tags[0] == "none" != tags[1]
    assert tags[1] == tags[2]


async def test_a_source_whose_start_page_leads_elsewhere_says_so(engine: Engine, room: Newsroom):
    """RDC-18: nothing outside is asked for, and the source names the target."""
    elsewhere = room.publish("/", page("Another site", links=["/x"]), site=1)
    front = room.publish("/", moved(elsewhere))
    changes = read_changes({"url": front, "mode": "spider"}).checked()
    settled = await engine.run(lambda db: SourceService(engine.context.frontier).add(db, changes))

    await engine.round()
    told = await engine.run(lambda db: SourceStore().listed(db, settled.source.source_id))
    room.publish("/", page("Front"))
    await engine.skip(DAY + HOUR)
    await engine.round()
    later = await engine.run(lambda db: SourceStore().listed(db, settled.source.source_id))

    assert (told.start_leads_to, later.start_leads_to) == (elsewhere, None)
    assert room.asked(site=1) == []
    assert len(room.asked("/", site=0)) == 2
