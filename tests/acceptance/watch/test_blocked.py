"""`outrider watch --once`, day after day, of a source that robots.txt blocks and then allows."""

from datetime import timedelta
from functools import partial

import asyncpg
from tests.support.command import outrider_meanwhile
from tests.support.newsroom import Answer, MovableClock, Newsroom
from tests.support.publications import page, rss


async def test_a_watch_finds_by_itself_what_robots_txt_allows_again(database: str):
    """The feed, and a page on another host that nothing announces anew."""
    outrider = partial(
        outrider_meanwhile,
        settings={"OUTRIDER_DATABASE_URL": database, "OUTRIDER_ALLOW_PRIVATE": "127.0.0.0/8"},
    )
    async with Newsroom(MovableClock(), sites=2) as room:
        article = room.publish("/article", page("An article"), site=1)
        feed, late = room.publish("/feed", rss([(article, None)])), room.publish("/late", rss([("/x", None)]))
        room.publish("/robots.txt", Answer(body=b"User-agent: *\nDisallow: /late"))
        room.publish("/robots.txt", Answer(body=b"User-agent: *\nDisallow: /"), site=1)
        await outrider("source", "add", room.origin(), "--feed", feed, "--feed", late, "--name", "news")
        await outrider("watch", "--once", "--json", "--workers", "1")
        told = (await outrider("source", "feeds", "news", "--json")).json["channels"]
        await _a_day_later(database)
        await outrider("watch", "--once", "--json", "--workers", "1")
        asked_while_blocked = room.asked("/late") + room.asked("/article")
        room.publish("/robots.txt", Answer(404))
        room.publish("/robots.txt", Answer(404), site=1)
        await _a_day_later(database)
        await outrider("watch", "--once", "--json", "--workers", "1")

        [blocked] = [channel for channel in told if channel["url"] == late]
        assert blocked["last_error"] == "blocked by robots.txt (line 2)"
        assert asked_while_blocked == []
        assert (len(room.asked("/late")), len(room.asked("/article"))) == (1, 1)
        assert [len(room.asked("/robots.txt", site)) for site in (0, 1)] == [3, 3]


async def _a_day_later(database: str) -> None:
    db = await asyncpg.connect(database)
    for shift in (
        "UPDATE url SET next_fetch_at = next_fetch_at - $1::interval",
        "UPDATE robots SET expires_at = expires_at - $1::interval",
        "UPDATE host SET due_at = due_at - $1::interval WHERE due_at IS NOT NULL",
    ):
        await db.execute(shift, timedelta(hours=24, seconds=5))
    await db.close()
