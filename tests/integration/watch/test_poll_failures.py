"""Channels that fail: typed, backed off, disabled, and back when they answer again."""

from datetime import timedelta

import pytest
from structlog.testing import capture_logs
from tests.support.newsroom import Answer, Engine, Newsroom, feed
from tests.support.publications import page, rss

from outrider.feeds.options import FeedOptions
from outrider.watch.handlers import channel_handlers

HOUR = 3600


async def fail_times(engine: Engine, url: str, times: int) -> None:
    """Poll as often as that, each time when it is due."""
    for _ in range(times):
        channel = await engine.channel(url)
        await engine.skip(timedelta(seconds=max(channel["next_in_s"], 0) + 1))
        await engine.round()


@pytest.mark.parametrize(
    ("status", "error_type", "errors", "rest_h"),
    [
        (410, "gone", 1, 72),
        (404, "not_found", 3, 48),
        (403, "forbidden", 5, 24),
    ],
)
async def test_a_channel_rests_once_it_failed_too_often(
    engine: Engine, room: Newsroom, status: int, error_type: str, errors: int, rest_h: int
):
    """FED-11, FED-12."""
    url = room.publish("/feed", Answer(status))
    await engine.watch("gone", room.origin(), feed(url))

    await fail_times(engine, url, errors - 1)
    before = await engine.channel(url)
    await fail_times(engine, url, 1)
    channel = await engine.channel(url)

    assert before["disabled_at"] is None
    assert (channel["error_type"], channel["errors"], channel["disable_reason"]) == (
        error_type,
        errors,
        error_type,
    )
    assert channel["next_in_s"] == pytest.approx(rest_h * HOUR, abs=60)

    room.publish("/feed", rss([("/a", None)]))
    await fail_times(engine, url, 1)
    back = await engine.channel(url)
    assert (back["errors"], back["disabled_at"], back["items"]) == (0, None, 1)


async def test_disabling_can_be_switched_off(engine: Engine, room: Newsroom):
    """CON-31: then a channel that fails for ever is asked ever more rarely, and for ever."""
    handlers = channel_handlers(FeedOptions(auto_disable=False), engine.clock)
    engine.context.handlers = {**engine.context.handlers, **handlers}
    url = room.publish("/feed", Answer(410))
    await engine.watch("gone", room.origin(), feed(url))

    await fail_times(engine, url, 12)

    channel = await engine.channel(url)
    assert (channel["errors"], channel["disabled_at"]) == (12, None)
    assert channel["next_in_s"] == pytest.approx(24 * HOUR, abs=60)


async def test_what_is_no_feed_is_a_parse_error(engine: Engine, room: Newsroom):
    url = room.publish("/feed", page("Not found, politely"))
    await engine.watch("news", room.origin(), feed(url))

    await engine.round()

    channel = await engine.channel(url)
    assert (channel["error_type"], channel["errors"]) == ("parse_error", 1)
    assert channel["next_in_s"] == pytest.approx(1800, abs=60)


async def test_a_429_waits_as_asked(engine: Engine, room: Newsroom):
    """FED-13."""
    url = room.publish("/feed", Answer(429, headers={"Retry-After": "1234"}))
    await engine.watch("news", room.origin(), feed(url))

    await engine.round()

    channel = await engine.channel(url)
    assert channel["error_type"] == "rate_limited"
    assert channel["next_in_s"] == pytest.approx(1234, abs=60)


async def test_without_retry_after_each_429_of_a_feed_doubles_its_wait_and_disables_nothing(
    engine: Engine, room: Newsroom
):
    """FED-12, FED-13: 5 minutes times 2 to the power of the errors, up to 8 hours."""
    url = room.publish("/feed", Answer(429))
    await engine.watch("news", room.origin(), feed(url))

    waits = []
    for _ in range(8):
        await fail_times(engine, url, 1)
        waits.append(round((await engine.channel(url))["next_in_s"] / 60))

    channel = await engine.channel(url)
    assert waits == [10, 20, 40, 80, 160, 320, 480, 480]
    assert (channel["errors"], channel["disabled_at"]) == (8, None)


async def test_failures_are_warnings_until_the_tenth(engine: Engine, room: Newsroom):
    """FED-10."""
    url = room.publish("/feed", Answer(500))
    await engine.watch("news", room.origin(), feed(url))

    with capture_logs() as lines:
        await fail_times(engine, url, 11)

    levels = [line["log_level"] for line in lines if line["event"] in ("poll failed", "channel disabled")]
    assert levels == ["warning"] * 9 + ["error"] * 2


async def test_robots_txt_keeps_us_from_a_feed(engine: Engine, room: Newsroom):
    room.publish("/robots.txt", Answer(body=b"User-agent: *\nDisallow: /feed"))
    url = room.publish("/feed", rss([("/a", None)]))
    await engine.watch("news", room.origin(), feed(url))

    await engine.round()

    channel = await engine.channel(url)
    assert room.asked("/feed") == []
    assert (channel["error_type"], channel["reason"]) == ("forbidden", "robots_blocked")
    assert channel["next_in_s"] == pytest.approx(24 * HOUR, abs=60)
