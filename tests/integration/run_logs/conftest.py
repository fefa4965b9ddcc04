"""A run on a fresh database, with writers, readers and an archive of the test's own."""

import os
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from tests.support.database import fast_place
from tests.support.embedded import within
from tests.support.make import Operator
from tests.support.site import Plan, Site

from outrider.crawl.seeds import start
from outrider.db import postmaster
from outrider.db.reconnecting import ReconnectingConnection
from outrider.frontier.stats import StatsStore
from outrider.object_store.file_store import FileStore
from outrider.run_logs.options import RunLogOptions
from outrider.run_logs.reader import RunLogReader
from outrider.run_logs.writer import RunLogWriter
from outrider.runs.ending import end_now
from outrider.runs.model import Run
from outrider.runs.store import RunStore
from outrider.sources.policy import Policy

MakeRun = Callable[..., Awaitable[Run]]


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """A data directory that the database's user can reach; a server left in it is stopped in the end."""
    root = Path(tempfile.mkdtemp(prefix="outrider-tests-dir-", dir=fast_place()))
    root.chmod(0o755)
    yield root
    for data in root.glob("**/database/data"):
        within(15, lambda data=data: postmaster.find(data) is None)
        if server := postmaster.find(data):
            os.kill(server.pid, signal.SIGQUIT)
    shutil.rmtree(root, ignore_errors=True)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Site]]:
    """`serve({"/a": answer, …})` starts a site; a list of answers is given in turn."""
    with ExitStack() as running:

        def begin(answers: dict[str, Any] | None = None, **plan: Any) -> Site:
            listed = {
                path: answer if isinstance(answer, list) else [answer]
                for path, answer in (answers or {}).items()
            }
            folder = tmp_path / f"site{len(list(tmp_path.iterdir()))}"
            return running.enter_context(Site.start(folder, Plan(**({"pages": 0} | plan), answers=listed)))

        yield begin


@pytest.fixture
async def operator(database: str) -> AsyncIterator[Operator]:
    operator = await Operator.enter(database)
    yield operator
    await operator.connection.close()


@pytest.fixture
def connection(operator: Operator) -> ReconnectingConnection:
    return operator.connection


@pytest.fixture
def make_run(operator: Operator) -> MakeRun:
    """A run of a crawl command."""

    async def make(seed: str = "http://example.com/") -> Run:
        begun = await operator.run(lambda db: start(db, Policy(seeds=(seed,)), operator.store, StatsStore()))
        assert begun.run is not None
        return begun.run

    return make


@pytest.fixture
def end_run(operator: Operator) -> Callable[[Run], Awaitable[Run]]:
    async def end(run: Run) -> Run:
        now = await operator.run(lambda db: RunStore().by_id(db, run.run_id))
        ended = await operator.run(lambda db: end_now(db, operator.store, now))
        assert ended is not None
        return ended

    return end


@pytest.fixture
async def run(make_run: MakeRun) -> Run:
    return await make_run()


@pytest.fixture
def objects(tmp_path: Path) -> FileStore:
    return FileStore(tmp_path / "archive")


@pytest.fixture
def reader(connection: ReconnectingConnection, objects: FileStore) -> RunLogReader:
    return RunLogReader(connection, objects)


@pytest.fixture
async def make_writer(database: str) -> AsyncIterator[Callable[..., RunLogWriter]]:
    """Writers, each with its own connection, as in workers."""
    connections = []

    def make(**options: object) -> RunLogWriter:
        connection = ReconnectingConnection(database, application_name="test writer")
        connections.append(connection)
        return RunLogWriter(connection, RunLogOptions(**options), worker_id=len(connections))  # type: ignore[arg-type]

    yield make
    for connection in connections:
        await connection.close()


@pytest.fixture
async def db(database: str) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(database)
    yield connection
    connection.terminate()
