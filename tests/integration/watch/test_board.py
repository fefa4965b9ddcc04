"""What the desk sees while it watches."""

from datetime import timedelta

from tests.support.newsroom import Answer, Engine, MovableClock, Newsroom, feed
from tests.support.publications import page, rss

from outrider.watch.board import look


async def test_the_board_counts_who_needs_somebody_and_how_late_the_usual_article_was(
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

    board = await engine.run(lambda db: look(db, clock.now() + timedelta(seconds=1)))

    assert (board.sources, board.failing, board.silent) == (4, 1, 1)
    assert [article.title for article in board.articles] == ["/a", "/b"]
    assert board.lag_s == 30
