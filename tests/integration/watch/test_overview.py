"""The figures of the watch screen."""

from datetime import timedelta

from tests.support.newsroom import Answer, Engine, MovableClock, Newsroom, feed
from tests.support.publications import page, rss

from outrider.watch.overview import read_overview


async def test_the_overview_counts_sources_in_trouble_and_has_the_median_lag(
    engine: Engine, room: Newsroom, clock: MovableClock
):
    now = clock.now()
    published = [("/a", now), ("/b", now)]
    for path, _ in published:
        room.publish(path, page(path))
    await engine.watch("news", room.origin(), feed(room.publish("/feed", rss(published))))
    await engine.watch("broken", room.origin(1), feed(room.publish("/feed", Answer(500), site=1)))
    await engine.watch("silent", room.origin(2))
    await engine.watch("walked", room.origin(2) + "/else", mode="spider")
    await engine.rows("UPDATE source SET searched_at = now() WHERE name IN ('silent', 'walked')")
    await engine.rows("UPDATE source SET created_at = created_at - interval '1 day'")
    await engine.round()
    for path, seconds in (("/a", 10), ("/b", 50)):
        await engine.rows(
            "UPDATE sighting SET published_at = seen_at - $2 * interval '1 s' FROM url u "
            "WHERE u.url_hash = sighting.url_hash AND u.url = $1",
            room.origin() + path,
            float(seconds),
        )

    overview = await engine.run(lambda db: read_overview(db, clock.now() + timedelta(seconds=1)))

    assert (overview.sources, overview.failing, overview.silent) == (4, 1, 1)
    assert [article.title for article in overview.articles] == ["/a", "/b"]
    assert overview.lag_s == 30
