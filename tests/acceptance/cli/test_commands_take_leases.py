"""Commands that ask a site: never while a worker talks to its host, and never too soon (CLM-13)."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from itertools import pairwise

import asyncpg
import pytest
from tests.support.asgi import until
from tests.support.command import Ran, outrider_here_meanwhile
from tests.support.site import Answer, Plan, Site, html

from outrider.frontier.lease import Lease, Release
from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.urls import host_of
from outrider.worker_registry.store import WorkerRegistry

WAITING = """
    SELECT count(*) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'outrider fetch' AND query LIKE '%is_blocked%'
"""
DELAY_S = 0.5

COMMANDS = [
    pytest.param(("fetch", "{url}page/1", "--json"), id="fetch"),
    pytest.param(("check", "{url}page/1", "--json"), id="check"),
    pytest.param(("source", "add", "{url}", "--json"), id="source add"),
    pytest.param(("source", "test", "{url}page/1", "--json"), id="source test"),
    pytest.param(("source", "import", "{url}list.csv", "--json"), id="source import"),
]


@pytest.fixture
def site(tmp_path) -> Iterator[Site]:
    answers = {
        "/page/1": [html("<h1>A page</h1>" + "<p>some words of it</p>" * 30)],
        "/list.csv": [
            Answer(body="name,url\nDaily,http://daily.test/\n", headers={"Content-Type": "text/csv"})
        ],
    }
    with Site.start(tmp_path, Plan(pages=2, answers=answers)) as running:
        yield running


@pytest.fixture
async def db(database) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(database)
    yield connection
    await connection.close()


@pytest.fixture
def run(database, site) -> Callable[..., Awaitable[Ran]]:
    async def run(*command: str, delay_s: float = 0.0) -> Ran:
        settings = {"OUTRIDER_DATABASE_URL": database, "OUTRIDER_DELAY": str(delay_s)}
        return await outrider_here_meanwhile(
            *(part.format(url=site.url) for part in command), settings=settings
        )

    return run


class LiveWorker:
    """Another worker on the same database, which talks to the site's host."""

    def __init__(self, db: asyncpg.Connection, host: str) -> None:
        self._db = db
        self._host = host
        self._store = FrontierStore(FrontierOptions())

    async def take(self) -> Lease:
        worker_id = await WorkerRegistry().register(self._db, "elsewhere", 1)
        self._store = FrontierStore(FrontierOptions(), worker_id)
        lease = await self._store.lease_host(self._db, self._host)
        assert lease is not None
        return lease

    async def give_back(self, lease: Lease) -> None:
        await self._store.release(self._db, [Release(lease, lease.state, 0.0)])


async def _waits(db: asyncpg.Connection, running: asyncio.Task[Ran]) -> bool:
    assert not running.done(), await running
    return bool(await db.fetchval(WAITING))


@pytest.mark.parametrize("command", COMMANDS)
async def test_a_command_waits_until_the_worker_that_has_the_host_gives_it_back(db, site, run, command):
    worker = LiveWorker(db, host_of(site.url))
    lease = await worker.take()
    running = asyncio.create_task(run(*command))
    await until(lambda: _waits(db, running), "the command waits for the host")

    before = site.log()
    await worker.give_back(lease)
    ran = await running

    assert before == []
    assert ran.code == 0, ran.err
    assert site.log()


@pytest.mark.parametrize("command", COMMANDS)
async def test_the_delay_runs_on_from_one_command_to_the_next(site, run, command):
    for _ in range(2):
        await run(*command, delay_s=DELAY_S)

    asked = site.log()
    assert len(asked) >= 4
    assert all(
        after.started_monotonic - before.ended_monotonic >= DELAY_S for before, after in pairwise(asked)
    )


async def test_a_blocked_host_is_not_asked(db, site, run):
    await run("fetch", "{url}page/1", "--json")
    await run("hosts", host_of(site.url), "--block", "they asked us to")
    asked = len(site.log())

    ran = await run("fetch", "{url}page/1", "--json")

    assert (ran.code, ran.json["outcome"], ran.json["reason"]) == (1, "refused", "host_busy")
    assert len(site.log()) == asked


async def test_what_a_command_asked_is_in_the_history(db, site, run):
    """robots.txt, which the site does not have, and the page."""
    await run("fetch", "{url}page/1", "--json")

    assert await db.fetchval("SELECT array_agg(outcome ORDER BY at) FROM fetch_log") == [
        "rejected",
        "fetched",
    ]
