"""When a worker has time for what can wait."""

import pytest

from outrider.workers.idle_check import BUSY, LONGEST_WAIT_S, IdleCheck


@pytest.mark.parametrize(
    ("pages", "has_time"),
    [
        pytest.param(0, True, id="nothing to do"),
        pytest.param(BUSY * 2 - 1, True, id="a polite crawl"),
        pytest.param(BUSY * 2, False, id="much to do"),
    ],
)
def test_a_worker_has_time_while_it_reads_few_pages_a_second(pages, has_time):
    assert IdleCheck(100.0, 7).should_run(102.0, 7 + pages) is has_time


def test_only_what_was_read_since_the_last_look_counts():
    idle_check = IdleCheck(0.0, 0)

    assert not idle_check.should_run(1.0, 1000)
    assert idle_check.should_run(2.0, 1001)


def test_what_waits_is_done_in_the_end_until_nothing_waits_any_more():
    idle_check = IdleCheck(0.0, 0)
    late, pages = LONGEST_WAIT_S + 1, 1_000_000

    assert idle_check.should_run(late, pages)
    assert idle_check.should_run(late + 1, 2 * pages), "one pass is not all of it"
    idle_check.mark_done(late + 2)
    assert not idle_check.should_run(late + 3, 3 * pages)
