"""Which entries of a sitemap are wanted, and when its lastmod is not believed."""

from datetime import UTC, datetime, timedelta

import pytest

from outrider.feeds.model import SitemapEntry
from outrider.watch.polling.lastmod import LastmodAccuracy, choose, false_polls_after, is_stamped, is_trusted

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


def entry(name: str, hours_ago: float | None = None, news: float | None = None) -> SitemapEntry:
    return SitemapEntry(
        f"http://a.test/{name}",
        lastmod=None if hours_ago is None else NOW - timedelta(hours=hours_ago),
        published_at=None if news is None else NOW - timedelta(hours=news),
    )


def names(entries: object) -> list[str]:
    return [each.url.rpartition("/")[2] for each in entries]  # type: ignore[attr-defined]


def test_only_what_changed_within_two_days_is_taken_newest_first():
    """FED-16."""
    choice = choose([entry("old", 49), entry("edge", 48), entry("new", 1), entry("silent")], NOW)

    assert names(choice.dated) == ["new", "edge"]
    assert names(choice.undated) == ["silent"]
    assert choice.old == 1


def test_a_change_far_in_the_future_is_none():
    assert names(choose([entry("tomorrow", -23), entry("next-year", -9000)], NOW).dated) == ["tomorrow"]


def test_news_comes_first_and_counts_by_its_publication():
    choice = choose([entry("page", 1), entry("news", 5000, news=3), entry("old-news", 1, news=100)], NOW)

    assert names(choice.dated) == ["news", "page"]
    assert choice.old == 1


def test_no_page_is_dated_by_a_false_lastmod():
    choice = choose([entry("a", 1), entry("b", 5000)], NOW, is_trusted=False)

    assert names(choice.dated) == []
    assert names(choice.undated) == ["a", "b"]


def test_a_backfill_wants_everything():
    choice = choose([entry("old", 5000), entry("new", 1)], NOW, backfill=True)

    assert (names(choice.dated), names(choice.undated), choice.old) == (["new"], ["old"], 0)


def test_one_poll_takes_no_more_than_a_thousand_dated_ones():
    assert len(choose([entry(str(n), 1) for n in range(1500)], NOW).dated) == 1000


@pytest.mark.parametrize(
    ("hours_ago", "expected"),
    [
        ([0, 0, 0, 0, 0], True),
        ([0.1, 0, 0.05, 0, 0], True),
        ([0, 0, 0, 0, 5], False),
        ([0, 0, 0, 0], False),
        ([], False),
    ],
)
def test_dates_that_are_all_now_are_a_clock(hours_ago: list[float], expected: bool):
    assert is_stamped([NOW - timedelta(hours=each) for each in hours_ago], NOW) is expected


@pytest.mark.parametrize(
    ("judged", "broken", "expected"),
    [(4, 4, False), (5, 5, True), (10, 8, True), (10, 7, False), (0, 0, False)],
)
def test_changes_that_mostly_were_none_are_worthless(judged: int, broken: int, expected: bool):
    assert LastmodAccuracy(judged, broken).are_mostly_false is expected


def test_two_false_lastmods_end_the_trust_and_true_ones_restore_it():
    false_polls = 0
    story = []
    for is_false in (True, True, True, True, True, False, False, False):
        false_polls = false_polls_after(false_polls, is_false=is_false)
        story.append(is_trusted(false_polls))

    assert story == [True, False, False, False, False, False, False, True]
