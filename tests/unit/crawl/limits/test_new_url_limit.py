"""New URLs of a watched source: all are taken, and their rate is kept by asking less often."""

import pytest

from outrider.crawl.limits import new_url_limit
from outrider.crawl.limits.new_url_limit import BURST, LEAST_REPORTED, NewUrlLimit, UrlDebt

PER_S = 100.0


def _submitted(links_a_page: int, page_s: float, pages: int) -> tuple[int, float]:
    """How many URLs a source brought, and how long that took, when every page waits for its pause."""
    taken, now, source = NewUrlLimit(), 0.0, 7
    for _ in range(pages):
        now += page_s + taken.pause_s(source, links_a_page, now + page_s, PER_S)
    return links_a_page * pages, now


@pytest.mark.parametrize("links", [120, 300, 1000])
@pytest.mark.parametrize("page_s", [0.01, 1.0])
def test_in_the_long_run_a_source_adds_no_more_than_the_rate(links, page_s):
    urls, seconds = _submitted(links, page_s, pages=500)

    assert (urls - BURST) / seconds <= PER_S + 1e-6


@pytest.mark.parametrize(("links", "page_s"), [(100, 1.0), (48, 0.5), (0, 0.0)])
def test_within_the_rate_nothing_waits(links, page_s):
    _, seconds = _submitted(links, page_s, pages=500)

    assert seconds == pytest.approx(500 * page_s)


def test_one_page_full_of_links_is_within_it():
    assert NewUrlLimit().pause_s(7, BURST, 0.0, PER_S) == 0


def test_sources_do_not_pay_for_each_other():
    taken = NewUrlLimit()
    taken.pause_s(7, 5_000, 0.0, PER_S)

    assert taken.pause_s(8, 10, 0.0, PER_S) == 0


def test_what_is_paid_off_is_forgotten(monkeypatch):
    monkeypatch.setattr(new_url_limit, "MOST_REMEMBERED", 10)
    taken = NewUrlLimit()
    for source in range(100):
        taken.pause_s(source, 50, float(source), PER_S)

    assert len(taken._debts) <= 10


@pytest.mark.parametrize("workers", [2, 8])
@pytest.mark.parametrize("links", [60, 400])
def test_workers_that_tell_each_other_keep_the_rate_together(workers, links):
    """Each has a host of the source in hand, and all of them owe one debt, told once a second."""
    fleet, due, shared = [NewUrlLimit() for _ in range(workers)], [0.0] * workers, UrlDebt(0.0, 0.0)
    brought, seconds = 0, 2_000
    for tick in range(seconds * 10):
        now = tick / 10
        for one, worker in enumerate(fleet):
            if now >= due[one]:
                brought += links
                due[one] = now + 0.1 + worker.pause_s(7, links, now, PER_S)
            if tick % 10 == 0 and (told := worker.unreported()):
                shared = UrlDebt(shared.left(now, PER_S) + told[7], now)
                worker.take_over({7: shared.urls}, told, now)

    assert PER_S * 0.8 < brought / seconds < PER_S * 1.1


def test_a_few_urls_are_not_worth_telling():
    taken = NewUrlLimit()
    taken.pause_s(7, LEAST_REPORTED - 1, 0.0, PER_S)

    assert taken.unreported() == {}
