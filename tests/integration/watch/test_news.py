"""The latest articles, each once and by the way that showed it first."""

from datetime import timedelta

from tests.support.newsroom import Engine, MovableClock, Newsroom, feed
from tests.support.publications import page, rss

from outrider.watch.model import Way
from outrider.watch.news import latest

SEEN_AGAIN = """
INSERT INTO sighting (host_id, url_hash, way, source_id, seen_at, published_at)
SELECT host_id, url_hash, 'sitemap', source_id, seen_at + interval '1 minute', published_at
  FROM sighting
"""
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


async def test_the_newest_comes_first_and_what_two_ways_showed_comes_once(
    engine: Engine, room: Newsroom, clock: MovableClock
):
    now = clock.now()
    for path in ("/old", "/new"):
        room.publish(path, page(f"story {path}"))
    feed_url = room.publish("/feed", rss([("/old", now - 5 * HOUR), ("/new", now - HOUR)]))
    source_id = await engine.watch("news", room.origin(), feed(feed_url))
    other_id = await engine.watch("other", room.origin(1))
    await engine.round()
    await engine.run(lambda db: db.execute(SEEN_AGAIN))

    found = await engine.run(lambda db: latest(db, source_id, now - DAY, 10))

    assert [(each.title, each.way, each.lag_s) for each in found] == [
        ("story /new", Way.FEED, None),
        ("story /old", Way.FEED, None),
    ], "published before anybody watched: how late we were says nothing"
    assert await engine.run(lambda db: latest(db, None, now - DAY, 1)) == found[:1]
    assert await engine.run(lambda db: latest(db, other_id, now - DAY, 10)) == []
    assert await engine.run(lambda db: latest(db, None, clock.now() + HOUR, 10)) == []


async def test_how_soon_an_article_was_seen(engine: Engine, room: Newsroom, clock: MovableClock):
    room.publish("/a", page("a"))
    url = room.publish("/feed", rss([("/a", clock.now())]))
    await engine.watch("news", room.origin(), feed(url))
    await engine.round()
    await engine.run(lambda db: db.execute("UPDATE source SET created_at = created_at - interval '1 day'"))
    await engine.run(lambda db: db.execute("UPDATE sighting SET published_at = seen_at - interval '90 s'"))

    [article] = await engine.run(lambda db: latest(db, None, clock.now() - DAY, 10))

    assert (article.source, article.lag_s) == ("news", 90.0)
