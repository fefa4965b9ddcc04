"""What a crawl writes to the log of its run."""

from collections import Counter

import pytest
from tests.support.site import Answer, html
from tests.support.worker import Crawl

from outrider.jobs.model import Interval, Unit
from outrider.jobs.operate import add
from outrider.jobs.runner import JobRunner
from outrider.jobs.scheduler import Scheduler
from outrider.run_logs.archive import finish_log
from outrider.run_logs.options import Verbosity
from outrider.runs.ending import end_if_over
from outrider.runs.store import RunStore
from outrider.sources.source_changes import read_changes
from outrider.watch.source_runs import SourceRuns
from outrider.watch.source_service import SourceService

RSS = "<rss version='2.0'><channel><title>News</title><item><link>/a</link></item></channel></rss>"


@pytest.fixture
async def crawl(database, operator):
    await operator.run(lambda db: db.execute("ALTER TABLE host ALTER delay_ms SET DEFAULT 0"))
    return Crawl(database, operator)


async def finish(crawl, objects, source_id):
    """End the run of a crawl, and its log."""
    operator = crawl.operator
    run_id = await operator.run(
        lambda db: db.fetchval("SELECT run_id FROM run WHERE source_id = $1", source_id)
    )
    run = await operator.run(lambda db: RunStore().by_id(db, run_id))
    ended = await operator.run(lambda db: end_if_over(db, operator.store, run))
    await finish_log(operator.connection, objects, run_id)
    return ended or run


async def lines_of(reader, run):
    return (await reader.replay(run.run_id, last=1_000)).lines


async def test_a_crawl_by_two_workers_logs_start_pages_milestones_and_summary(crawl, serve, reader, objects):
    links = " ".join(f'<a href="/{number}">{number}</a>' for number in range(119))
    pages = {f"/{number}": html(f"page {number}") for number in range(119)}
    site = serve({"/": html(links), "/missing": Answer(status=404, body="no"), **pages})
    source_id = await crawl.seed(site.url, site.url + "missing")
    await crawl.run(workers=2)

    run = await finish(crawl, objects, source_id)
    lines = await lines_of(reader, run)

    assert (lines[0].message, lines[0].category) == ("run started", "lifecycle")
    assert "first page of this worker" in [line.message for line in lines]
    milestones = [line for line in lines if line.message.endswith(" pages") and line.category == "metrics"]
    assert milestones[-1].message == "100 pages", "the last multiple of 50 that the run passed"
    assert milestones[-1].fields["pages"] >= 100
    (error,) = [line for line in lines if line.category == "error"]
    assert (error.level, error.message) == ("error", "given up: not_found")
    assert error.fields["url"] == site.url + "missing"
    assert error.fields["status"] == 404
    summary = lines[-1]
    assert summary.message == f"run completed: {run.items_crawled:,} pages, 1 given up"
    assert summary.fields["pages"] == run.items_crawled
    assert summary.fields["dead_reasons"] == {"not_found": 1}
    assert [line.position.number for line in lines] == list(range(1, len(lines) + 1))


async def test_a_poll_of_a_feed_is_a_line_and_no_error(crawl, serve, reader, objects):
    news = Answer(body=RSS, headers={"Content-Type": "application/rss+xml"})
    site = serve({"/feed.xml": news, "/a": html("the news")})
    operator = crawl.operator
    wanted = {"url": site.url, "mode": "feed", "feed": f"{site.url}feed.xml", "name": "daily", "delay": "0"}
    service, changes = SourceService(operator.store), read_changes(wanted).checked()
    source = (await operator.run(lambda db: service.add(db, changes))).source
    await operator.run(lambda db: add(db, source, Interval(1, Unit.HOURS), adaptive=False))
    await operator.run(lambda db: db.execute("UPDATE job SET next_run_at = now(), slot_at = now()"))
    runs = SourceRuns(operator.store)
    scheduler = Scheduler(operator.connection, JobRunner(runs.start, runs.content_hash, operator.store))
    assert await scheduler.start_due() == 1
    await crawl.run()

    lines = await lines_of(reader, await finish(crawl, objects, source.source_id))

    assert [line.fields["url"] for line in lines if line.message == "feed read"] == [f"{site.url}feed.xml"]
    assert [line.message for line in lines if line.level != "info"] == []
    assert lines[-1].message == "run completed: 1 page, 0 given up"


async def test_many_errors_of_one_kind_are_throttled_and_the_summary_counts_the_rest(
    crawl, serve, reader, objects
):
    missing = {f"/m{number}": Answer(status=404, body="no") for number in range(30)}
    links = " ".join(f'<a href="{path}">{path}</a>' for path in missing)
    site = serve({"/": html(links), **missing})
    source_id = await crawl.seed(site.url)
    await crawl.run()

    lines = await lines_of(reader, await finish(crawl, objects, source_id))

    shown = [line for line in lines if line.message == "given up: not_found"]
    assert len(shown) == 10
    assert lines[-1].fields["lines_throttled"] == 20


async def test_a_rate_limit_and_a_retry_are_lines_of_their_own(crawl, serve, reader, objects):
    site = serve(
        {
            "/": html('<a href="/busy">a</a> <a href="/broken">b</a>'),
            "/busy": [Answer(status=429, body="slow"), html("now")],
            "/broken": [Answer(status=500, body="no"), html("now")],
        }
    )
    source_id = await crawl.seed(site.url)
    for _ in range(4):
        await crawl.run()
        await crawl.forget_waits()

    lines = await lines_of(reader, await finish(crawl, objects, source_id))

    by_category = Counter(line.category.value for line in lines)
    (limit,) = [line for line in lines if line.category == "rate_limit"]
    assert (limit.level, limit.fields["status"]) == ("warn", 429)
    assert by_category["error"] == 1
    assert lines[-1].fields["rate_limits"] == 1


async def test_debug_shows_each_request_and_trace_each_page(crawl, serve, reader, objects):
    for verbosity, categories in (
        (Verbosity.QUIET, {"lifecycle"}),
        (Verbosity.DEBUG, {"lifecycle", "fetch"}),
        (Verbosity.TRACE, {"lifecycle", "fetch", "extract"}),
    ):
        site = serve({"/": html("a")})
        crawl.set("run_logs", verbosity=verbosity)
        source_id = await crawl.seed(site.url)
        await crawl.run()
        lines = await lines_of(reader, await finish(crawl, objects, source_id))
        assert {line.category.value for line in lines} == categories
        requests = [line for line in lines if line.message == "request: fetched"]
        assert [line.fields["status"] for line in requests] == ([] if verbosity is Verbosity.QUIET else [200])


async def test_logs_of_runs_can_be_switched_off(crawl, serve, operator):
    site = serve({"/": html("a")})
    crawl.set("run_logs", enabled=False)
    await crawl.seed(site.url)
    await crawl.run()

    assert await operator.run(lambda db: db.fetchval("SELECT count(*) FROM run_log_state")) == 0


async def test_two_crawls_have_logs_of_their_own(crawl, serve, reader, objects):
    for site in (serve({"/": html("a")}), serve({"/": html("b")})):
        source_id = await crawl.seed(site.url)
        await crawl.run()
        lines = await lines_of(reader, await finish(crawl, objects, source_id))
        (page,) = [line for line in lines if line.category == "fetch"]
        assert page.fields["url"] == site.url


async def test_a_log_that_cannot_be_written_does_not_stop_the_crawl(crawl, serve, operator):
    site = serve(pages=20)
    await operator.run(lambda db: db.execute("ALTER TABLE run_log RENAME TO elsewhere"))
    await crawl.seed(site.url)
    await crawl.run()

    states = Counter((await crawl.states()).values())
    assert set(states) == {"fetched"}
