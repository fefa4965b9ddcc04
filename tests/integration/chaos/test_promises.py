"""Broken promises are found: pages that are missing, effects that are not there once, requests too soon."""

from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from types import SimpleNamespace
from urllib.parse import urlsplit

import asyncpg
import pytest
from chaos.faults import FAULTS, Strike
from chaos.promises import Verdict, judge
from tests.support.make import Operator
from tests.support.site import Plan, Site
from tests.support.web import Hit
from tests.support.worker import Crawl

DELAY_S = 1.0
HOUR_S = 3600


@pytest.fixture
async def crawled(database: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[SimpleNamespace]:
    """A small site that was crawled, and the log its server would have written."""
    operator = await Operator.enter(database)
    crawl = Crawl(database, operator)
    with Site.start(tmp_path_factory.mktemp("site"), Plan(pages=3)) as site:
        await crawl.seed(site.url)
        await crawl.run()
        log = [_hit(asked.path, number * 2000) for number, asked in enumerate(site.log())]
        yield SimpleNamespace(site=site, operator=operator, log=log, database=database)
    await operator.connection.close()


async def _judge(
    crawled: SimpleNamespace,
    expected: Collection[str],
    unanswered: Collection[str] = (),
    strikes: Sequence[Strike] = (),
) -> Verdict:
    @asynccontextmanager
    async def database() -> AsyncIterator[asyncpg.Connection]:
        connection = await asyncpg.connect(crawled.database)
        try:
            yield connection
        finally:
            await connection.close()

    stage = SimpleNamespace(
        run=SimpleNamespace(database=database),
        web=SimpleNamespace(log=lambda: crawled.log, title=_title),
        clock=None,
    )
    return await judge(
        stage,  # type: ignore[arg-type]
        expected,
        lambda address: DELAY_S,
        strikes=strikes,
        unanswered=unanswered,
    )


async def test_a_crawl_that_went_well_is_clean(crawled):
    verdict = await _judge(crawled, crawled.site.urls)

    assert verdict.is_clean, str(verdict)
    assert (verdict.requests, verdict.pages) == (4, 3)


async def test_a_page_that_was_not_stored_is_lost(crawled):
    verdict = await _judge(crawled, [*crawled.site.urls, "http://127.0.0.2/never"])

    assert verdict.lost == ["http://127.0.0.2/never"]


@pytest.mark.parametrize("damage", ["title = 'Page 0 of 127.0.0.2'", "text_id = NULL", "text_id = -1"])
async def test_a_page_that_was_stored_as_another_or_without_its_text_is_lost(crawled, damage):
    page = crawled.site.urls[1]
    spoil = f"UPDATE document d SET {damage} FROM url u WHERE u.url_hash = d.url_hash AND u.url = $1"
    await crawled.operator.run(lambda db: db.execute(spoil, page))

    assert (await _judge(crawled, crawled.site.urls)).lost == [page]


async def test_an_unanswered_page_is_lost_when_it_is_no_longer_queued(crawled):
    [first, second, *_] = crawled.site.urls
    await crawled.operator.run(
        lambda db: db.execute("UPDATE url SET next_fetch_at = now() WHERE url = $1", first)
    )

    verdict = await _judge(crawled, crawled.site.urls, unanswered=[first, second])

    assert verdict.lost == [second]


async def test_an_unanswered_page_is_lost_when_it_was_never_tried(crawled):
    [first, *_] = crawled.site.urls
    await crawled.operator.run(
        lambda db: db.execute("UPDATE url SET next_fetch_at = now() WHERE url = $1", first)
    )
    await crawled.operator.run(lambda db: db.execute("UPDATE host_info SET requests = 0"))

    verdict = await _judge(crawled, crawled.site.urls, unanswered=[first])

    assert verdict.lost == [first]


async def test_a_page_that_counts_more_often_than_it_was_answered_is_double(crawled):
    await crawled.operator.run(lambda db: db.execute("UPDATE url SET fetches = 2 WHERE url LIKE '%/page/1'"))

    double = (await _judge(crawled, crawled.site.urls)).double

    assert [fault.split(": ", 1)[1] for fault in double] == [
        "2 fetches, 1 noted, 1 versions",
        "3 counted, 4 held",
    ]


async def test_a_counter_that_disagrees_with_its_table_is_double(crawled):
    await crawled.operator.run(lambda db: db.execute("UPDATE counter SET value = 9 WHERE name = 'documents'"))

    assert (await _judge(crawled, crawled.site.urls)).double == ["documents: 9 counted, 3 held"]


async def test_a_request_that_was_written_down_twice_is_double(crawled):
    again = "INSERT INTO fetch_log SELECT * FROM fetch_log WHERE outcome = 'fetched' LIMIT 1"
    await crawled.operator.run(lambda db: db.execute(again))

    double = (await _judge(crawled, crawled.site.urls)).double

    assert [fault.split(": ", 1)[1] for fault in double if fault.startswith("http")] == [
        "1 fetches, 2 noted, 1 versions"
    ]
    assert "requests: 4 counted, 5 held" in double
    assert "requests in the books of hosts: 4 counted, 5 held" in double


async def test_a_page_recorded_twice_without_a_lost_host_is_double(crawled):
    page = crawled.site.urls[1]
    crawled.log.append(_hit("/page/1", crawled.log[-1].ended_ms + 2000))
    again = (
        "INSERT INTO fetch_log SELECT f.* FROM fetch_log f JOIN url u USING (host_id, url_hash) "
        "WHERE u.url = $1"
    )
    await crawled.operator.run(lambda db: db.execute(again, page))

    double = (await _judge(crawled, crawled.site.urls)).double

    assert [fault for fault in double if fault.startswith("http")] == [
        f"{page}: 1 fetches, 2 noted, 1 versions"
    ]


async def test_a_request_too_soon_after_another_is_early(crawled):
    crawled.log.append(_hit("/page/1", crawled.log[-1].ended_ms + 500))

    early = (await _judge(crawled, crawled.site.urls)).early

    assert len(early) == 1
    assert "came too soon after" in early[0]


@pytest.mark.parametrize(
    ("other_worker", "written_after_s", "is_found"),
    [
        pytest.param(0, HOUR_S, True, id="the worker had failed to write before"),
        pytest.param(1, HOUR_S, False, id="another worker had nothing to write"),
        pytest.param(0, 0, False, id="the answers were written meanwhile"),
    ],
)
async def test_a_request_of_a_worker_that_could_not_write_is_early(
    crawled, other_worker, written_after_s, is_found
):
    asked = crawled.site.log()
    late = _hit("/page/1", round(asked[-1].ended_ms) + 4000)
    crawled.log = [*(_hit(each.path, round(each.started_ms)) for each in asked), late]
    again = (
        "INSERT INTO fetch_log (at, host_id, url_hash, elapsed_ms, wire_bytes, worker_id, outcome) "
        "SELECT to_timestamp($1 / 1000.0), host_id, url_hash, 1, 1, worker_id + $2, outcome "
        "FROM fetch_log JOIN url USING (host_id, url_hash) WHERE url LIKE '%/page/1'"
    )
    await crawled.operator.run(lambda db: db.execute(again, float(late.ended_ms), other_worker))
    write = "UPDATE url SET last_fetch_at = last_fetch_at + $1 * interval '1 second'"
    await crawled.operator.run(lambda db: db.execute(write, float(written_after_s)))
    full = Strike(FAULTS["fill the disk"], asked[0].started_ms - 1000, late.ended_ms + 1000)

    early = (await _judge(crawled, crawled.site.urls, strikes=[full])).early

    in_vain = [fault for fault in early if "while nothing could be written" in fault]
    assert in_vain == (["127.0.0.2: /page/1 while nothing could be written"] if is_found else [])


def _title(url: str) -> str:
    parts = urlsplit(url)
    return f"Page {parts.path.removeprefix('/page/').strip('/') or 0} of {parts.hostname}"


def _hit(path: str, started_ms: int) -> Hit:
    return Hit(
        address="127.0.0.2",
        host="127.0.0.2",
        path=path,
        status=404 if path == "/robots.txt" else 200,
        started_ms=started_ms,
        ended_ms=started_ms + 10,
        connection=1,
        nth_on_connection=1,
        agent="",
    )
