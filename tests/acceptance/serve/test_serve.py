"""`outrider serve`: a crawl through it, a clean stop, and everything that can be killed."""

import asyncio
import os
import shutil
import signal
import socket
import tempfile
from pathlib import Path

import asyncpg
import psutil
import pytest
from tests.support.command import outrider, outrider_here_meanwhile
from tests.support.embedded import within
from tests.support.relay import relay_to
from tests.support.serving import serving
from tests.support.site import Plan, Site, html

from outrider.db import postmaster

SLOW = "/slow"


@pytest.fixture
async def db(database):
    connection = await asyncpg.connect(database)
    yield connection
    await connection.close()


async def add(database: str, urls: list[str]) -> None:
    ran = await outrider_here_meanwhile("add", *urls, settings={"OUTRIDER_DATABASE_URL": database})
    assert ran.code == 0, ran.err


async def documents(db: asyncpg.Connection) -> int:
    return await db.fetchval("SELECT count(*) FROM document")


async def test_a_stop_finishes_the_page_under_way_and_says_so_first(database, db, tmp_path):
    page = html("<p>slow and steady wins the race</p>")
    slow = type(page)(body=page.body, headers=page.headers, delay=3.0)
    with Site.start(tmp_path / "site", Plan(pages=5, answers={SLOW: [slow]})) as site:
        async with serving(tmp_path, settings={"OUTRIDER_DATABASE_URL": database}) as server:
            await add(database, site.urls)
            await server.wait_for(lambda: documents(db), lambda found: found == 5)
            all_stored_at = await db.fetchval("SELECT now()")
            await add(database, [site.origins[0] + SLOW])

            async def asked() -> int:
                # An older heartbeat may still count one of the first pages.
                rows = await db.fetch(
                    "SELECT (stats->>'in_flight')::int AS n FROM worker WHERE beat_at > $1", all_stored_at
                )
                return sum(row["n"] or 0 for row in rows)

            await server.wait_for(asked, lambda found: found > 0)
            stopping = asyncio.create_task(server.stop())
            ready = lambda: server.status("/health/ready")  # noqa: E731
            status = await server.wait_for(ready, lambda found: found != 200)
            code = await stopping

    assert status == 503  # it still answers, and says that it is not ready
    assert code == 0, server.log()
    assert await documents(db) == 6
    assert await db.fetchval("SELECT count(*) FROM worker WHERE stopped_at IS NULL") == 0
    assert await db.fetchval("SELECT count(*) FROM scheduler WHERE stopped_at IS NULL") == 0
    assert await db.fetchval("SELECT count(*) FROM host WHERE lease_owner IS NOT NULL") == 0
    assert await db.fetchval("SELECT count(*) FROM crawl_process") == 0


@pytest.mark.timeout(240)
async def test_killed_processes_are_started_again_and_the_crawl_goes_on(database, db, tmp_path):
    with Site.start(tmp_path / "site", Plan(pages=30, latency=0.05)) as site:
        async with serving(tmp_path, settings={"OUTRIDER_DATABASE_URL": database}) as server:
            await add(database, site.urls)
            await server.wait_for(lambda: documents(db), lambda found: found > 2)
            [worker], [api] = await server.until_started("worker", 1), await server.until_started("api", 1)
            os.kill(worker, signal.SIGKILL)
            os.kill(api, signal.SIGKILL)

            # The socket stays open, so that a request waits for the next process.
            answer = await server.get("/health/live")
            await server.until_started("worker", 2)
            await server.wait_for(lambda: documents(db), lambda found: found == 30)
            await server.until("/health/ready", 200)
            code = await server.stop()

    assert answer.status_code == 200
    assert len(server.pids("api")) == 2
    assert code == 0, server.log()


@pytest.fixture
def data():
    """A folder that PostgreSQL can reach; pytest's own are private, and as root it is somebody else."""
    folder = Path(tempfile.mkdtemp(prefix="outrider-test-"))
    folder.chmod(0o755)
    yield folder
    assert within(30, lambda: postmaster.find(folder / "database" / "data") is None)
    shutil.rmtree(folder)


async def test_the_embedded_database_is_started_again(tmp_path, data):
    async with serving(tmp_path, "--roles", "api", data=data) as server:
        running = postmaster.find(data / "database" / "data")
        assert running is not None
        os.kill(running.pid, signal.SIGKILL)

        async def restarts() -> list[str]:
            return [each["event"] for each in server.events() if "started again" in each["event"]]

        await server.wait_for(restarts, bool)
        await server.until("/health/ready", 200)
        assert len(server.pids("api")) == 1  # the same process answers again
        assert await server.stop() == 0, server.log()


async def test_without_the_database_requests_get_503_until_it_is_back(database, tmp_path):
    async with (
        relay_to(database) as relay,
        serving(tmp_path, "--roles", "api", settings={"OUTRIDER_DATABASE_URL": relay.dsn}) as server,
    ):
        relay.cut()
        await server.until("/health/ready", 503)
        answer, health, live = [
            await server.get(path) for path in ("/api/v1/workers", "/health", "/health/live")
        ]
        metrics = await server.get("/metrics")
        relay.mend()
        await server.until("/health/ready", 200)
        back = await server.get("/api/v1/workers")

    assert (answer.status_code, answer.headers["retry-after"], answer.json()["code"]) == (
        503,
        "5",
        "unavailable",
    )
    assert (health.status_code, health.json()["status"]) == (503, "unhealthy")
    assert live.status_code == 200
    assert 'crawler_degraded{check="database"} 1.0' in metrics.text
    assert back.status_code == 401  # the database answered: the caller is not signed in
    assert len(server.pids("api")) == 1


@pytest.mark.timeout(240)  # three servers start one after another
async def test_each_role_runs_alone(database, db, tmp_path):
    folders = [tmp_path / role for role in ("api", "scheduler", "worker")]
    for folder in folders:
        folder.mkdir()
    given = {"OUTRIDER_DATABASE_URL": database}
    with Site.start(tmp_path / "site", Plan(pages=2)) as site:
        async with serving(folders[0], "--roles", "api", settings=given) as api:
            alone = (await api.get("/health")).json()
            async with (
                serving(folders[1], "--roles", "scheduler", settings=given) as scheduler,
                serving(folders[2], "--roles", "worker", settings=given) as worker,
            ):
                await add(database, site.urls)
                await worker.wait_for(lambda: documents(db), lambda found: found == 2)

                async def health() -> str:
                    return (await api.get("/health")).json()["status"]

                await api.wait_for(health, lambda found: found == "healthy")
                addresses = [each.started["address"] for each in (api, scheduler, worker)]

    assert alone["status"] == "degraded"
    assert [sentence.split(",")[0] for sentence in alone["degraded"]] == [
        "no worker runs",
        "no scheduler runs",
    ]
    assert addresses[0]
    assert addresses[1:] == [None, None]


async def test_children_end_when_their_supervisor_is_killed(database, tmp_path):
    async with serving(tmp_path, settings={"OUTRIDER_DATABASE_URL": database}) as server:
        pids = [(await server.until_started(kind, 1))[0] for kind in ("api", "scheduler", "worker")]
        children = [psutil.Process(pid) for pid in pids]
        server.process.kill()
        _, alive = await asyncio.to_thread(psutil.wait_procs, children, 45)

    assert alive == []


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        pytest.param(["--host", "192.0.2.1"], 1, "192.0.2.1 is no address of this machine", id="host"),
        pytest.param(["--host", "no.such.test"], 1, "'no.such.test' is no address of this", id="name"),
        pytest.param(["--host", "0.0.0.0"], 1, "OUTRIDER_JWT_SECRET is not set", id="public"),
        pytest.param(["--roles", "api,cook"], 2, "--roles takes api, scheduler, worker", id="role"),
        pytest.param(["--roles", ""], 2, "separated by commas, and not nothing", id="no role"),
        pytest.param(["--port", "70000"], 2, "the most is 65535", id="port"),
    ],
)
def test_a_start_that_cannot_work_is_refused_in_one_sentence(arguments, code, sentence, tmp_path):
    ran = outrider("serve", "--data", str(tmp_path), "--port", "0", *arguments)

    assert (ran.code, ran.out) == (code, "")
    assert sentence in ran.err
    assert len(ran.err.splitlines()) == 1
    assert list(Path(tmp_path).iterdir()) == []  # no database was started for it


def test_a_port_in_use_is_named(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        ran = outrider("serve", "--data", str(tmp_path), "--port", str(port))

    assert ran.code == 1
    assert ran.err.startswith(f"outrider: port {port} of 127.0.0.1 is in use by another program")
