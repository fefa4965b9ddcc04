"""How often a channel is asked: what a person wants, corrected by what it does."""

from datetime import UTC, datetime

import pytest

from outrider.watch.polling.intervals import (
    ChannelHistory,
    asked_interval,
    fresh_for_s,
    next_allowed_time,
    next_interval_s,
    pushed_interval_s,
    wanted_interval_s,
)

MINUTE = 60.0
HOUR = 3600.0
DAY = 24 * HOUR
BASE = 15 * MINUTE
SUNDAY_NOON = datetime(2026, 11, 15, 12, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("habits", "expected_s"),
    [
        pytest.param(ChannelHistory(), BASE, id="nothing known: what the source asks for"),
        pytest.param(ChannelHistory(gap_s=10 * MINUTE), 5 * MINUTE, id="busy: three times as often"),
        pytest.param(ChannelHistory(gap_s=MINUTE), 5 * MINUTE, id="frantic: no more than that"),
        pytest.param(ChannelHistory(gap_s=HOUR), BASE, id="hourly: four polls an entry"),
        pytest.param(ChannelHistory(gap_s=2 * HOUR), 30 * MINUTE, id="slow: less often"),
        pytest.param(ChannelHistory(gap_s=7 * DAY), HOUR, id="weekly: four times slower and no more"),
        pytest.param(ChannelHistory(gap_s=60 * DAY, is_dormant=True), 6 * HOUR, id="silent for a month"),
        pytest.param(
            ChannelHistory(asked_interval_s=2 * HOUR), 2 * HOUR, id="the publisher wishes it slower"
        ),
        pytest.param(
            ChannelHistory(asked_interval_s=5 * MINUTE), BASE, id="the publisher cannot make it faster"
        ),
        pytest.param(
            ChannelHistory(gap_s=30 * MINUTE, asked_interval_s=6 * HOUR),
            7.5 * MINUTE,
            id="entries contradict the wish",
        ),
        pytest.param(
            ChannelHistory(gap_s=12 * HOUR, asked_interval_s=6 * HOUR),
            6 * HOUR,
            id="entries agree with the wish",
        ),
        pytest.param(ChannelHistory(asked_interval_s=30 * DAY), DAY, id="no wish goes past a day"),
        pytest.param(ChannelHistory(gap_s=HOUR, interval_factor=2.0), 30 * MINUTE, id="others are faster"),
        pytest.param(ChannelHistory(gap_s=HOUR, interval_factor=0.5), 7.5 * MINUTE, id="always first"),
        pytest.param(
            ChannelHistory(gap_s=MINUTE, interval_factor=0.5), 5 * MINUTE, id="always first, within bounds"
        ),
    ],
)
def test_the_wanted_interval(habits: ChannelHistory, expected_s: float):
    assert wanted_interval_s(BASE, habits) == expected_s


def test_a_person_may_ask_for_less_than_five_minutes_or_for_more_than_a_day_and_gets_it():
    assert wanted_interval_s(MINUTE, ChannelHistory()) == MINUTE
    assert wanted_interval_s(7 * DAY, ChannelHistory()) == 7 * DAY
    assert wanted_interval_s(7 * DAY, ChannelHistory(gap_s=60 * DAY, is_dormant=True)) == 7 * DAY


@pytest.mark.parametrize(
    ("current_s", "wanted_s", "expected_s"),
    [
        (900, 900, 900),
        (900, 1100, 900),
        (900, 700, 900),
        (900, 1200, 1200),
        (900, 3600, 1800),
        (900, 300, 450),
    ],
)
def test_an_interval_moves_in_steps_and_not_for_little(current_s: float, wanted_s: float, expected_s: float):
    assert next_interval_s(current_s, wanted_s) == expected_s


@pytest.mark.parametrize(
    ("ttl", "period", "fresh", "expected"),
    [
        (None, None, None, None),
        (30, None, None, 1800.0),
        (60, None, None, None),
        (None, 3600, None, None),
        (None, 86_400, None, DAY),
        (30, None, 7200.0, 7200.0),
        (60, 3600, 600.0, 600.0),
        (0, None, 0.0, None),
        (10**9, None, None, DAY),
    ],
)
def test_the_longest_interval_of_the_publisher_counts_unless_it_is_a_software_default(
    ttl: int | None, period: int | None, fresh: float | None, expected: float | None
):
    assert asked_interval(ttl, period, fresh) == expected


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, None),
        ({"cache-control": "max-age=600"}, 600.0),
        ({"cache-control": "public, max-age=60, s-maxage=900"}, 900.0),
        ({"cache-control": "no-cache, max-age=600"}, None),
        ({"cache-control": "no-store"}, None),
        ({"cache-control": "stale-while-revalidate=99"}, None),
        ({"expires": "Sun, 15 Nov 2026 13:00:00 GMT"}, 1800.0),
        ({"expires": "Sun, 15 Nov 2020 13:00:00 GMT"}, 0.0),
        ({"expires": "0"}, None),
        ({"expires": "-1"}, None),
        ({"expires": "Sun, 15 Nov 99999999999999999999 13:00:00 GMT"}, None),
        ({"cache-control": "max-age=10", "expires": "Sun, 15 Nov 2026 13:00:00 GMT"}, 10.0),
        ({"cache-control": "max-age=99999999999999999999"}, 999999999.0),
    ],
)
def test_freshness_by_headers(headers: dict[str, str], expected: float | None):
    assert fresh_for_s(headers, SUNDAY_NOON) == expected


@pytest.mark.parametrize(
    ("hours", "days", "expected"),
    [
        (set(), set(), SUNDAY_NOON),
        ({12}, set(), datetime(2026, 11, 15, 13, tzinfo=UTC)),
        ({12, 13, 14}, set(), datetime(2026, 11, 15, 15, tzinfo=UTC)),
        ({11}, set(), SUNDAY_NOON),
        (set(), {6}, datetime(2026, 11, 16, tzinfo=UTC)),
        ({0, 1}, {6}, datetime(2026, 11, 16, 2, tzinfo=UTC)),
        (set(range(24)), set(), SUNDAY_NOON),
        (set(), set(range(7)), SUNDAY_NOON),
        (set(range(23)), set(range(6)), datetime(2026, 11, 15, 23, tzinfo=UTC)),
    ],
)
def test_skipped_hours_and_days_are_left_alone(hours: set[int], days: set[int], expected: datetime):
    assert next_allowed_time(SUNDAY_NOON, hours, days) == expected


@pytest.mark.parametrize(
    ("pushed_for_s", "expected_s"),
    [
        pytest.param(None, BASE, id="no hub: as ever"),
        pytest.param(DAY, 4 * BASE, id="a hub that pushes: less often"),
        pytest.param(2 * BASE, 2 * BASE, id="not past the end of the subscription"),
        pytest.param(BASE / 2, BASE, id="nor sooner than as ever"),
        pytest.param(-HOUR, BASE, id="one that has ended counts for nothing"),
    ],
)
def test_a_feed_whose_hub_pushes_is_asked_less_often(pushed_for_s: float | None, expected_s: float):
    assert pushed_interval_s(BASE, pushed_for_s) == expected_s
