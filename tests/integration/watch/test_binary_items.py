"""Files among the items of a feed: never requested, and dead with a reason that says so (FET-13)."""

from tests.support.newsroom import Engine, Newsroom, feed
from tests.support.publications import page, rss


async def test_a_file_that_a_feed_names_is_not_requested(engine: Engine, room: Newsroom):
    room.publish("/report.pdf", page("no page"))
    room.publish("/story", page("a page"))
    url = room.publish("/feed", rss([("/report.pdf", None), ("/story", None)]))
    await engine.watch("daily", room.origin(), feed(url))

    await engine.round()

    rows = await engine.rows(
        "SELECT url, status, last_error FROM url_frontier WHERE kind = 'page' ORDER BY url"
    )
    assert [(row["status"], row["last_error"]) for row in rows] == [("dead", "binary_url"), ("fetched", None)]
    assert room.asked("/report.pdf") == []
    assert len(room.asked("/story")) == 1
