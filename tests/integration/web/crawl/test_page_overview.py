"""`/overview`: the answer in a sentence, what needs a person, figures and charts."""

from datetime import timedelta

import pytest

from outrider.metrics_history.figures import read_crawl_figures
from outrider.services.crawl.concerns import Concern, ConcernArea, Situation, answer_of, concerns_of
from outrider.services.crawl.overview import growth_of, success_of
from outrider.services.metrics.timeseries import SeriesLine, SeriesPoint


async def add_history(pool, metric, label, values):
    """One sample for each of the last minutes."""
    async with pool.acquire() as db:
        series = await db.fetchval(
            "INSERT INTO metric_series (metric, label) VALUES ($1, $2) RETURNING series_id", metric, label
        )
        now = await db.fetchval("SELECT date_trunc('minute', now())")
        await db.executemany(
            "INSERT INTO metric_sample VALUES ($1, $2, $3)",
            [
                (series, now - timedelta(minutes=len(values) - i), float(value))
                for i, value in enumerate(values)
            ],
        )


async def test_an_empty_crawl_says_what_to_do_next(api):
    user, admin = await api.get("/overview"), await api.get("/overview", role="admin")

    assert "Nothing is crawled yet. Add a source, or submit a URL." in user.text
    assert 'href="/frontier/submit"' in admin.text
    assert 'href="/frontier/submit"' not in user.text


async def test_due_urls_without_a_worker_need_a_person(api, crawl, pool):
    await pool.execute("UPDATE worker SET stopped_at = now()")
    page = (await api.get("/overview")).text

    assert "No worker runs, so nothing is fetched: 1 URL waits." in page
    assert 'href="/workers"' in page


async def test_the_figures_are_those_of_the_database(api, crawl, pool):
    async with pool.acquire() as db:
        figures = await read_crawl_figures(db)
    page = (await api.get("/overview")).text

    assert figures.states["pending"] == 1
    assert '<div class="figure-value">1</div>' in page
    assert "due, waiting for a worker".capitalize() in page


async def test_charts_are_drawn_from_tables(api, pool):
    await add_history(pool, "pages_per_s", "", [2.5, 3.5])
    await add_history(pool, "status", "2xx", [0, 80, 160])
    await add_history(pool, "status", "5xx", [0, 20, 40])
    await add_history(pool, "frontier", "pending", [10, 40])
    page = (await api.get("/overview?since=1h")).text

    assert 'data-chart="line" data-for="pages-over-time"' in page
    assert '<table class="table" id="pages-over-time">' in page
    assert '<td class="number">3.50</td>' in page
    assert "80 %" in page
    assert "+30 in the last hour" in page


async def test_only_pages_with_charts_load_the_chart_library(api):
    assert "echarts." in (await api.get("/overview")).text
    assert "echarts." not in (await api.get("/frontier")).text


@pytest.mark.parametrize(
    ("now", "area"),
    [
        (Situation(due_hosts=3, pending=9), ConcernArea.WORKERS),
        (Situation(jobs=1, needs_scheduler=True), ConcernArea.SCHEDULER),
        (Situation(live_workers=1, silent_workers=1), ConcernArea.WORKERS),
        (Situation(failed_jobs=2), ConcernArea.JOBS),
        (Situation(failing_sources=1), ConcernArea.SOURCES),
        (Situation(silent_sources=1), ConcernArea.SILENT_SOURCES),
        (Situation(broken_hosts=1), ConcernArea.HOSTS),
        (Situation(answers=50, success_ratio=0.5), ConcernArea.FRONTIER),
        (Situation(live_workers=1, queue_age_s=601.0), ConcernArea.WORKERS),
    ],
)
def test_each_trouble_is_a_concern(now, area):
    [concern] = concerns_of(now)

    assert concern.area is area


@pytest.mark.parametrize(
    "now",
    [
        Situation(pending=9, live_workers=1, due_hosts=2, queue_age_s=30.0),
        Situation(pending=9),  # all planned for later
        Situation(answers=49, success_ratio=0.1),  # too few to tell
        Situation(jobs=1, needs_scheduler=False),
    ],
)
def test_what_is_usual_is_no_concern(now):
    assert concerns_of(now) == []


def test_what_stops_everything_comes_first_and_is_the_answer():
    now = Situation(due_hosts=1, pending=2, failed_jobs=1)
    concerns = concerns_of(now)

    assert [each.is_urgent for each in concerns] == [True, False]
    assert "No worker runs" in answer_of(now, concerns)
    assert answer_of(now, [Concern(ConcernArea.JOBS, "x")]) == "The crawl is running, and 1 thing needs you."


def test_a_running_crawl_without_trouble_is_well():
    now = Situation(known=5, pending=2, live_workers=2, pages_per_s=3.0)

    assert answer_of(now, []) == "The crawl goes well: 3.0/s with 2 workers."


def test_requests_without_an_answer_are_no_success():
    def line(label, *values):
        return SeriesLine(label, [SeriesPoint(None, value) for value in values])

    assert success_of([line("2xx", 3, 3), line("3xx", 2), line("4xx", 1)], [line("timeout", 1)]) == (10, 0.8)
    assert success_of([], []) == (0, None)
    assert growth_of([line("pending", 5, 9, 3)], "pending") == -2
    assert growth_of([line("pending", 5)], "pending") is None
