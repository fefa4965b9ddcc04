"""From a parsed feed to what is announced, remembered and when it is asked again."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from outrider.feeds import Feed, FeedEntry, UpdateHints
from outrider.fetch.outcome import Exchange, Fetched
from outrider.frontier.model import EntryKind
from outrider.watch.channels.model import Channel, ChannelReading
from outrider.watch.polling.feed import pace_of, reading_of

NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)  # a Wednesday
URL = "http://a.test/feed"
CHANNEL = Channel(1, 2, URL, EntryKind.FEED, False, 0, 900.0, False, {})


def read(
    dates: list[datetime | None],
    channel: Channel = CHANNEL,
    rhythm: UpdateHints | None = None,
    **headers: str,
) -> ChannelReading:
    entries = tuple(FeedEntry(url=f"http://a.test/{n}", published_at=date) for n, date in enumerate(dates))
    fetched = Fetched(Exchange(URL, 200, headers, 1), b"")
    return reading_of(Feed(entries=entries, rhythm=rhythm or UpdateHints()), channel, fetched, 900.0, NOW)


def hours_ago(*hours: float) -> list[datetime | None]:
    return [NOW - timedelta(hours=each) for each in hours]


def test_everything_is_announced_the_first_time_and_nothing_when_nothing_changed():
    first = read([None, None])
    second = read([None, None], replace(CHANNEL, memory=first.memory))
    third = read([None, None, None], replace(CHANNEL, memory=second.memory))

    assert [len(each.announced) for each in (first, second, third)] == [2, 0, 3]
    assert [each.is_changed for each in (first, second, third)] == [True, False, True]


def test_an_entry_without_a_link_is_skipped_and_counted():
    fetched = Fetched(Exchange(URL, 200, {}, 1), b"")
    feed = Feed(entries=(FeedEntry(url=None), FeedEntry(url="/relative"), FeedEntry(url="mailto:x@y.test")))

    reading = reading_of(feed, CHANNEL, fetched, 900.0, NOW)

    assert [page.url for page in reading.announced] == ["http://a.test/relative"]
    assert reading.skipped == {"no_link": 1, "invalid": 1}


def test_silence_slows_a_feed_down_although_it_only_says_304():
    memory: Any = read(hours_ago(1, 2, 3, 4)).memory
    channel = replace(CHANNEL, memory=memory)
    later = NOW + timedelta(hours=20)

    assert pace_of(memory, channel, 900.0, NOW).interval_s == 900
    assert pace_of(memory, channel, 900.0, later).interval_s == 1800
    assert pace_of(memory, replace(channel, interval_s=1800.0), 900.0, later).interval_s == 3600


def test_the_first_look_at_a_feed_sets_its_rhythm_and_later_ones_move_it_by_steps():
    hourly = hours_ago(1, 2, 3, 4)
    slow = UpdateHints(ttl_minutes=180)

    assert read(hourly, replace(CHANNEL, interval_s=7200.0)).interval_s == 900
    assert read([None], rhythm=slow).interval_s == 3 * 3600
    assert read([None], replace(CHANNEL, memory=read([None]).memory), rhythm=slow).interval_s == 1800


def test_an_hour_the_publisher_rules_out_is_waited_for_also_after_a_304():
    reading = read(hours_ago(1, 2), rhythm=UpdateHints(skip_hours=frozenset({12, 13})))

    assert reading.next_in_s == 2 * 3600
    assert pace_of(reading.memory, CHANNEL, 900.0, NOW).next_in_s == 2 * 3600


def test_an_hour_with_entries_in_it_is_not_ruled_out():
    dates = [NOW - timedelta(days=1), NOW - timedelta(days=2)]

    assert read([*dates], rhythm=UpdateHints(skip_hours=frozenset({12}))).next_in_s == 900


def test_headers_slow_it_down():
    reading = read([None], **{"cache-control": "max-age=1500"})

    assert reading.interval_s == 1500


def test_entries_past_the_first_five_hundred_are_left_out_and_counted():
    reading = read([None] * 620)

    assert len(reading.announced) == 500
    assert reading.skipped == {"too_many": 120}


def test_what_is_remembered_stays_small():
    memory: Any = {}
    for n in range(40):
        memory = read([None] * (n % 3 + 1), replace(CHANNEL, memory=memory)).memory

    assert len(str(memory)) < 600
