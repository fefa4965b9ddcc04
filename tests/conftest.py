"""What every test may ask for: a server of this run, a fresh database, a pool on it."""

import os
import sys
from collections.abc import AsyncIterator, Iterator
from itertools import islice
from pathlib import Path

import asyncpg
import pytest
from hypothesis import HealthCheck, settings

# Tests share code as `tests.support.…`, whichever folder pytest was started in.
sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.support.command import own_logs
from tests.support.database import TestServer, choices, forget_run, this_run
from tests.support.environment import forget_settings, hear_interrupts
from tests.support.redis_server import RedisServer, valkey_server
from tests.support.s3_server import S3Server, s3_server

from outrider.db.pool import open_pool

_BROWSER = Path(__file__).with_name("browser")

# How fast a machine makes up examples says nothing about the code.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

# Under the other name the programs that tests start use the same PostgreSQL; ours is no setting of theirs.
if bindir := os.environ.pop("OUTRIDER_TEST_PG_BINDIR", None):
    os.environ["PG_BINDIR"] = bindir

forget_settings()
hear_interrupts()

# Who wants no compiled files beside the sources gets them elsewhere: to start a program takes half as long.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
    os.environ["PYTHONPYCACHEPREFIX"] = str(this_run() / "compiled")


@pytest.fixture(autouse=True)
def _own_logs() -> Iterator[None]:
    """Commands set up the logs of their process, and here that is the tests' own."""
    with own_logs():
        yield


@pytest.fixture(scope="session")
def postgres() -> Iterator[TestServer]:
    """The server all tests of this run share; `OUTRIDER_TEST_PG_BINDIR` chooses another PostgreSQL."""
    with TestServer.of_this_run(choices()[0]) as server:
        yield server


@pytest.fixture(scope="session", params=choices(), ids=lambda found: f"postgresql-{found.major}")
def each_postgres(request: pytest.FixtureRequest) -> Iterator[TestServer]:
    """A server of every PostgreSQL this machine has, one after the other."""
    with TestServer.of_this_run(request.param) as server:
        yield server


@pytest.fixture
async def empty_database(postgres: TestServer) -> AsyncIterator[str]:
    """The DSN of a database without any table."""
    async with postgres.database(template="template0") as dsn:
        yield dsn


@pytest.fixture
async def database(postgres: TestServer) -> AsyncIterator[str]:
    """The DSN of a fresh, migrated database of this test's own."""
    async with postgres.database() as dsn:
        yield dsn


@pytest.fixture
async def pool(database: str) -> AsyncIterator[asyncpg.Pool]:
    """A pool on `database`."""
    opened = await open_pool(database, size=10, application_name="tests")
    yield opened
    # A test that failed with a connection in hand must not wait for it for ever.
    opened.terminate()


@pytest.fixture
def redis_server() -> Iterator[RedisServer]:
    """An empty Valkey of this test's own."""
    with valkey_server() as server:
        yield server


@pytest.fixture(scope="session")
def s3() -> Iterator[S3Server]:
    """An S3 server that all tests of this process share; each test uses a prefix of its own."""
    with s3_server() as server:
        yield server


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """Tests that ask for more time than others begin first: in the end, the run would wait for them.

    The tests in a browser stay together, because they share one server and one browser.
    """
    for item in items:
        if item.path.is_relative_to(_BROWSER):
            item.add_marker(pytest.mark.xdist_group("browser"))
    yield  # pytest-xdist reads the groups, and the tests that were not asked for are left out
    items.sort(key=_allowed_s, reverse=True)
    workers = getattr(config, "workerinput", {"workercount": 1})["workercount"]
    if not any(item.get_closest_marker("serial") for item in items):
        items[:] = _dealt(items, workers, config)


def _dealt(items: list[pytest.Item], workers: int, config: pytest.Config) -> list[pytest.Item]:
    """Deal the long tests to the workers: `worksteal` gives each worker an equal part of the list."""
    usual_s = float(config.getini("timeout"))
    count = sum(_allowed_s(item) > usual_s for item in items)
    long, others = items[:count], iter(items[count:])
    dealt: list[pytest.Item] = []
    for nth in range(workers):
        own = long[nth::workers]
        size = (len(items) - len(dealt)) // (workers - nth)
        dealt += own + list(islice(others, max(size - len(own), 0)))
    return dealt + list(others)


def _allowed_s(item: pytest.Item) -> float:
    own = item.get_closest_marker("timeout")
    return float(own.args[0] if own else item.config.getini("timeout"))


def pytest_configure() -> None:
    """Name the run before pytest-xdist starts its processes."""
    this_run()


def pytest_unconfigure(config: pytest.Config) -> None:
    """The first process of the run is the last to end, and takes the servers' directory away."""
    if not hasattr(config, "workerinput"):
        forget_run(this_run())
