"""A page that a link led to first is an article as soon as its source announces it."""

from datetime import timedelta

import pytest
from tests.support.make import submission
from tests.support.newsroom import Answer, Engine, Newsroom, Request, feed
from tests.support.publications import page, rss

from outrider.frontier.model import UrlOrigin

QUARTER = timedelta(minutes=15, seconds=1)
STORY = "/p/7"  # an address that does not look like an article's
STORED = """
SELECT d.unindexed, octet_length(packed_text(d.text_id)) > 100 AS is_read, f.origin
  FROM url_frontier f
  LEFT JOIN (document d JOIN url u USING (host_id, url_hash)) ON u.url = f.url
 WHERE f.url = $1
"""
COUNTS = """
SELECT (SELECT coalesce(sum(value), 0) FROM counter WHERE name = 'documents')::int AS counted,
       (SELECT count(*) FROM document WHERE unindexed IS NULL OR unindexed = 'quality_gate')::int AS held
"""


def with_validator(answer: Answer) -> Answer:
    return Answer(body=answer.body, headers={**answer.headers, "ETag": '"same"'})


def or_not_modified(answer: Answer):
    def respond(request: Request) -> Answer:
        return Answer(status=304) if "if-none-match" in request.headers else with_validator(answer)

    return respond


async def stored(engine: Engine, url: str) -> tuple[str | None, bool, str]:
    [row] = await engine.rows(STORED, url)
    return tuple(row)


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(page("The story"), id="no validator"),
        pytest.param(or_not_modified(page("The story")), id="a validator, and the page did not change"),
    ],
)
async def test_a_page_fetched_for_a_link_is_kept_once_its_feed_announces_it(
    engine: Engine, room: Newsroom, answer
):
    """SPI-02: the text of a page that only leads to articles is not kept, so it is fetched once more."""
    story = room.publish(STORY, answer)
    front = room.publish("/", page("Front", links=[STORY]))
    items: list[tuple[str, None]] = []
    feed_url = room.publish("/feed", lambda _: rss([*items, ("/nothing", None)]))
    source_id = await engine.watch("news", front, feed(feed_url), mode="both", seeds=[front])
    await engine.run(
        lambda db: engine.context.frontier.ingest(db, [submission(front, 10, source_id=source_id)])
    )
    await engine.round()
    assert await stored(engine, story) == ("page_type", False, "spider")

    items.append((STORY, None))
    for _ in range(2):
        await engine.skip(QUARTER, history=False)
        await engine.round()

    assert await stored(engine, story) == (None, True, "feed")
    assert len(room.asked(STORY)) == 2
    [counts] = await engine.rows(COUNTS)
    assert counts["counted"] == counts["held"]


async def test_a_page_linked_from_another_watched_site_is_an_article_of_its_feed(
    engine: Engine, room: Newsroom
):
    """SPI-08, FED-06: the link came first; the feed that announces the page decides what it is."""
    story = room.publish(STORY, page("The story"), site=1)
    feed_there = room.publish("/feed", rss([(STORY, None)]), site=1)
    there = await engine.watch("there", room.origin(1), feed(feed_there), seeds=[room.origin(1) + "/"])
    link = submission(story, 10, source_id=there, origin=UrlOrigin.DISCOVERED, depth=1)
    await engine.run(lambda db: engine.context.frontier.ingest(db, [link]))
    await engine.run(
        lambda db: db.execute(
            "UPDATE url SET next_fetch_at = now() + interval '1 hour' WHERE url = $1", story
        )
    )

    await engine.round()
    await engine.skip(timedelta(hours=1), history=False)
    await engine.round()

    assert await stored(engine, story) == (None, True, "feed")
    assert len(room.asked(STORY, site=1)) == 1
    [counts] = await engine.rows(COUNTS)
    assert (counts["counted"], counts["held"]) == (1, 1)
