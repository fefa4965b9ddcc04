"""What is computed from looks at a running crawl, and what makes a crawl count."""

import pytest
from benchmarks.crawl import Moment, check_complete, speed
from benchmarks.crawlers import Outrider
from tests.support.web import Hit


def moment(at, requests, cpu_s, memory_mb=100.0):
    return Moment(
        at, requests, {"workers": cpu_s, "PostgreSQL": cpu_s / 10}, nginx_s=0.0, memory_mb=memory_mb
    )


def hit(path, status=200):
    return Hit("127.0.0.2", "h", path, status, 0, 1, 1, 1, "agent")


def test_the_start_and_the_end_of_a_crawl_do_not_count_as_speed_but_as_cost():
    moments = [
        moment(0, 0, 0.0),
        moment(5, 50, 2.0),
        moment(6, 500, 2.5, memory_mb=300.0),
        moment(7, 950, 2.9),
        moment(20, 1_000, 10.0),
    ]

    measured = speed(Outrider(1), 1_000, 0, moments)

    assert measured.pages_per_s == 450
    assert measured.cpu_ms["workers"] == pytest.approx(1.0)
    assert measured.all_ms == pytest.approx(1.1)
    assert measured.whole_ms == pytest.approx(11.0)
    assert measured.peak_mb == 300.0


def test_a_crawl_that_was_hardly_seen_gives_no_speed():
    with pytest.raises(RuntimeError, match="too fast"):
        speed(Outrider(1), 1_000, 0, [moment(0, 0, 0.0), moment(1, 500, 1.0), moment(2, 1_000, 2.0)])


def test_a_page_fetched_twice_is_reported_and_a_missing_page_is_an_error():
    hits = [hit("/"), hit("/p/1"), hit("/p/1"), hit("/robots.txt"), hit("/p/2", status=500)]

    assert check_complete(hits, 2) == 1
    with pytest.raises(RuntimeError, match="2 of 3 pages"):
        check_complete(hits, 3)
