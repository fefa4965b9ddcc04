"""How often something appears, from dates that may be missing, wrong or in the future."""

from datetime import UTC, datetime, timedelta

from outrider.watch.polling.posting_rate import moments, posting_of, remember_news

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


def hours_ago(*hours: float) -> list[datetime]:
    return [NOW - timedelta(hours=each) for each in hours]


def test_the_median_gap_is_what_counts():
    posting = posting_of(hours_ago(1, 2, 3, 4, 100), NOW)

    assert posting is not None
    assert posting.gap_s == 3600
    assert posting.newest == NOW - timedelta(hours=1)


def test_two_dates_say_nothing():
    assert posting_of(hours_ago(1, 2), NOW) is None


def test_equal_dates_count_once():
    assert posting_of(hours_ago(1, 1, 1, 1), NOW) is None


def test_dates_in_the_future_and_missing_ones_are_left_out():
    assert posting_of([*hours_ago(1, 2), None, NOW + timedelta(days=3)], NOW) is None


def test_only_the_newest_entries_say_how_things_are_now():
    lately = [float(hour) for hour in range(1, 25)]
    long_ago = [24.0 * day for day in range(100, 200)]

    posting = posting_of(hours_ago(*lately, *long_ago), NOW)

    assert posting is not None
    assert posting.gap_s == 3600


def test_a_channel_without_dates_is_judged_by_polls_that_found_changes():
    news: list[float] = []
    for hour in (9, 6, 3):
        news = remember_news(news, NOW - timedelta(hours=hour))

    posting = posting_of(moments(news, NOW), NOW)

    assert posting is not None
    assert posting.gap_s == 3 * 3600


def test_what_is_remembered_is_bounded():
    news: list[float] = []
    for _ in range(50):
        news = remember_news(news, NOW)

    assert len(news) == 10
