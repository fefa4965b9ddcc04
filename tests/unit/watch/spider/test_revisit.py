"""How often a list is looked at."""

import pytest

from outrider.watch.spider.revisit import LONGEST_S, after_redirect, first_interval, next_interval

POLL_S = 900.0


@pytest.mark.parametrize(
    ("depth", "expected_s"),
    [(0, 900), (1, 3_600), (2, 14_400), (3, 57_600), (9, LONGEST_S), (5000, LONGEST_S)],
)
def test_the_further_from_the_front_page_the_rarer_to_begin_with(depth, expected_s):
    assert first_interval(depth, POLL_S) == expected_s


@pytest.mark.parametrize(
    ("interval_s", "new", "expected_s"),
    [
        pytest.param(3_600, 1, 1_800, id="something new: twice as often"),
        pytest.param(3_600, 500, 1_800, id="much new: no more than that"),
        pytest.param(3_600, 0, 5_400, id="nothing new: less often"),
        pytest.param(1_000, 3, 900, id="never more often than the source is polled"),
        pytest.param(600_000, 0, LONGEST_S, id="at least once a week"),
    ],
)
def test_the_new_links_of_a_visit_decide_the_next_interval(interval_s, new, expected_s):
    assert next_interval(interval_s, new, POLL_S) == expected_s


def test_a_source_that_wants_to_be_asked_rarely_is():
    assert next_interval(LONGEST_S, 1, 30 * 86_400.0) == LONGEST_S


HOUR_S, DAY_S, WEEK_S = 3_600.0, 86_400.0, 604_800.0


@pytest.mark.parametrize(
    ("usual_s", "times", "expected_s"),
    [
        pytest.param(WEEK_S, 1, DAY_S, id="the next day"),
        pytest.param(WEEK_S, 3, DAY_S, id="for three days"),
        pytest.param(WEEK_S, 4, WEEK_S, id="then when it is usual"),
        pytest.param(HOUR_S, 1, HOUR_S, id="what is asked more often still is"),
        pytest.param(HOUR_S, 500, HOUR_S, id="however long it takes"),
        pytest.param(None, 3, DAY_S, id="what is never asked again is, for three days"),
        pytest.param(None, 4, None, id="and not for ever"),
    ],
)
def test_when_a_page_that_redirects_for_now_is_asked_again(usual_s, times, expected_s):
    assert after_redirect(usual_s, times) == expected_s
