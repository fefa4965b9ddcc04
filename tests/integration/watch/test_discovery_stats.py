"""By which way articles are seen first, and what follows for how often each way is asked."""

from datetime import timedelta

from tests.support.newsroom import Engine, MovableClock, Newsroom, feed, sitemap_at
from tests.support.publications import rss, sitemap

from outrider.urls import key_of
from outrider.watch.channels.model import DiscoveryMethod, Sighting
from outrider.watch.discovery_stats import MethodStats, discovery_stats, learn

MINUTE = timedelta(minutes=1)


async def see(engine: Engine, source_id: int, way: DiscoveryMethod, articles: range, lag: timedelta) -> None:
    """As if these articles, published at minute 0, had been seen by a way after a time."""
    published = engine.clock.now()
    seen = [Sighting(key_of(f"http://a.test/{n}"), way, published) for n in articles]

    async def write(db: object) -> None:
        await engine.store.record_sightings(db, None, source_id, seen)  # type: ignore[arg-type]
        await db.execute(  # type: ignore[attr-defined]
            "UPDATE sighting SET seen_at = published_at + $1::interval - $2::interval, "
            "published_at = published_at - $2::interval WHERE way = $3",
            lag,
            timedelta(hours=1),
            way.value,
        )

    await engine.run(write)


async def test_each_way_has_its_rung(engine: Engine, room: Newsroom):
    source_id = await engine.watch("news", room.origin())
    await see(engine, source_id, DiscoveryMethod.FEED, range(3), 5 * MINUTE)
    await see(engine, source_id, DiscoveryMethod.SITEMAP, range(1, 5), 30 * MINUTE)

    stats_by_method = await engine.run(lambda db: discovery_stats(db, source_id))

    assert [(each.way, each.seen, each.first, each.contested, each.won) for each in stats_by_method] == [
        (DiscoveryMethod.FEED, 3, 3, 2, 2),
        (DiscoveryMethod.SITEMAP, 4, 2, 2, 0),
    ]
    assert [each.median_lag_s for each in stats_by_method] == [None, None], (
        "published before the source was watched"
    )

    await engine.run(lambda db: db.execute("UPDATE source SET created_at = created_at - interval '1 day'"))
    stats_by_method = await engine.run(lambda db: discovery_stats(db, source_id))
    assert [round(each.median_lag_s or 0) for each in stats_by_method] == [300, 1800]


async def test_a_way_that_is_never_first_is_asked_less_and_the_first_one_more(engine: Engine, room: Newsroom):
    feed_url = room.publish("/feed", rss([("/a", None)]))
    map_url = room.publish("/sitemap.xml", sitemap([("/a", None)]))
    source_id = await engine.watch("news", room.origin(), feed(feed_url), sitemap_at(map_url))
    await see(engine, source_id, DiscoveryMethod.FEED, range(25), 5 * MINUTE)
    await see(engine, source_id, DiscoveryMethod.SITEMAP, range(25), 30 * MINUTE)

    await engine.run(learn)
    await engine.round()

    by_feed, by_map = await engine.channel(feed_url), await engine.channel(map_url)
    assert (by_feed["memory"]["lean"], by_map["memory"]["lean"]) == (0.5, 2.0), (
        "a poll keeps what was learned"
    )
    assert (by_feed["interval_s"], by_map["interval_s"]) == (450, 12 * 3600)


async def test_what_a_feed_shows_is_remembered_once(engine: Engine, room: Newsroom, clock: MovableClock):
    published = clock.now() - 10 * MINUTE
    items = [("/a", published)]
    url = room.publish("/feed", lambda _: rss(items))
    source_id = await engine.watch("news", room.origin(), feed(url))
    await engine.round()
    items.append(("/b", published))
    await engine.skip(timedelta(hours=1))
    await engine.round()

    [stats] = await engine.run(lambda db: discovery_stats(db, source_id))

    assert (stats.way, stats.seen, stats.first) == (DiscoveryMethod.FEED, 2, 2)
    assert isinstance(stats, MethodStats)
