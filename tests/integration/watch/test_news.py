"""The latest articles, each once and by the way that showed it first."""

from datetime import UTC, datetime, timedelta

import pytest
from tests.support.newsroom import Engine, MovableClock, Newsroom, feed, sitemap_at
from tests.support.publications import page, rss, sitemap

from outrider.watch.channels.model import DiscoveryMethod
from outrider.watch.discovery_stats import discovery_stats
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
        ("story /new", DiscoveryMethod.FEED, None),
        ("story /old", DiscoveryMethod.FEED, None),
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


@pytest.mark.parametrize(
    ("said", "changed", "lag_s"),
    [
        pytest.param("2026-11-16T10:20:00Z", None, 600.0, id="the article says when"),
        pytest.param("2026-11-16T10:20:00Z", "10:25", 600.0, id="the article knows better than its sitemap"),
        pytest.param("2026-11-16T00:00:00Z", "10:25", 300.0, id="a day is no moment, the last change is"),
        pytest.param("2026-11-16T00:00:00Z", "00:00", None, id="nobody says more than the day"),
    ],
)
async def test_how_late_a_sitemap_was_is_reckoned_from_the_best_date_there_is(
    engine: Engine, room: Newsroom, clock: MovableClock, said: str, changed: str | None, lag_s: float | None
):
    clock.skipped = datetime(2026, 11, 16, 10, 30, tzinfo=UTC) - datetime.now(UTC)
    lastmod = datetime.fromisoformat(f"2026-11-16T{changed}:00+00:00") if changed else None
    room.publish("/a", page("a", head=f'<meta property="article:published_time" content="{said}">'))
    url = room.publish("/sitemap.xml", sitemap([("/a", lastmod)]))
    source_id = await engine.watch("news", room.origin(), sitemap_at(url))
    await engine.round()
    await engine.run(lambda db: db.execute("UPDATE source SET created_at = '2026-11-15Z'"))
    await engine.run(lambda db: db.execute("UPDATE sighting SET seen_at = '2026-11-16T10:30:00Z'"))

    [article] = await engine.run(lambda db: latest(db, None, datetime(2026, 11, 1, tzinfo=UTC), 10))
    [stats] = await engine.run(lambda db: discovery_stats(db, source_id, days=10_000))

    assert (article.way, article.lag_s, stats.median_lag_s) == (DiscoveryMethod.SITEMAP, lag_s, lag_s)
