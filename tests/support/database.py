"""Real PostgreSQL for tests: one server a run, a migrated template, a cloned database a test.

All processes of a run (pytest-xdist) share one server through its own leases. The server keeps
nothing safe (fsync off): when the run dies, the server goes, and a later run sweeps the directory.
"""

import asyncio
import itertools
import os
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from outrider.db import migrate, postmaster
from outrider.db.binaries import Binaries, installed
from outrider.db.embedded import EmbeddedPostgres
from outrider.db.locks import open_lock, try_lock, wait_lock

_PREFIX = "outrider-tests-"
_TEMPLATE = "migrated"
_ABANDONED_AFTER_S = 3600
_PLENTY = 4 << 30
_UNSAFE_AND_FAST = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "64MB",
    "max_connections": "300",
    "max_wal_size": "256MB",
    "max_wal_senders": "0",
    "wal_level": "minimal",
    "autovacuum_naptime": "1min",
}
_numbers = itertools.count(1)


def this_run() -> Path:
    """The directory of this run's servers; the same in every pytest-xdist process of it.

    Not pytest's own temporary directory: that one is private to us, and as root the server is not us.
    """
    # pytest-xdist's processes inherit what the first process chose.
    chosen = fast_place() / f"{_PREFIX}{os.geteuid()}-{os.getpid()}"
    return Path(os.environ.setdefault("PYTEST_OUTRIDER_RUN", str(chosen)))


def fast_place() -> Path:
    """Memory where there is plenty: a database is cloned in 5 ms there, in up to 90 ms on a disk."""
    memory = Path("/dev/shm")
    if memory.is_dir() and os.access(memory, os.W_OK):
        room = os.statvfs(memory)
        if room.f_bavail * room.f_frsize > _PLENTY and not room.f_flag & os.ST_NOEXEC:
            return memory
    return Path(tempfile.gettempdir())


def choices() -> list[Binaries]:
    """Every PostgreSQL the suite can run on, the default first; `PG_BINDIR` leaves one."""
    by_major = {found.major: found for found in reversed(list(installed()))}
    return sorted(by_major.values(), key=lambda found: found.major, reverse=True)


@dataclass(frozen=True, slots=True)
class TestServer:
    """A running server with the migrated template in it."""

    __test__ = False  # not a class of tests, whatever its name begins with

    dsn: str

    @classmethod
    @contextmanager
    def of_this_run(cls, binaries: Binaries) -> Iterator["TestServer"]:
        """Join the run's server, or start it; one for each version of PostgreSQL."""
        root = this_run() / f"postgresql-{binaries.version}"
        if not root.exists():
            _sweep(root.parents[1])
        with EmbeddedPostgres(root, _UNSAFE_AND_FAST, bindir=binaries.folder) as server:
            made = cls(server.dsn)
            with _locked(root / "template.lock"), ThreadPoolExecutor(1) as thread:
                # In a thread, because the test that asks first may already run on an event loop.
                thread.submit(asyncio.run, made._make_template()).result()
            yield made

    @asynccontextmanager
    async def database(self, template: str = _TEMPLATE) -> AsyncIterator[str]:
        """A database of its own, gone afterwards."""
        name = f"test_{os.getpid()}_{next(_numbers)}"
        await self._execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        try:
            yield self._dsn_of(name)
        finally:
            await self._execute(f"DROP DATABASE {name} WITH (FORCE)")

    async def _make_template(self) -> None:
        connection = await asyncpg.connect(self.dsn)
        try:
            known = await connection.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", _TEMPLATE)
        finally:
            await connection.close()
        if known:
            return
        await self._execute("CREATE DATABASE half_migrated TEMPLATE template0")
        connection = await asyncpg.connect(self._dsn_of("half_migrated"))
        try:
            await migrate.up(connection)
        finally:
            await connection.close()
        await self._execute(f"ALTER DATABASE half_migrated RENAME TO {_TEMPLATE}")

    async def _execute(self, statement: str) -> None:
        connection = await asyncpg.connect(self.dsn)
        try:
            await connection.execute(statement)
        finally:
            await connection.close()

    def _dsn_of(self, name: str) -> str:
        return urlunsplit(urlsplit(self.dsn)._replace(path=f"/{name}"))


def forget_run(run: Path) -> None:
    """Remove the run's directory once its servers have stopped."""
    give_up_at = time.monotonic() + 30
    # Files lie in there too: what commands said, beside their data.
    for data in run.glob("*/database/data"):
        while postmaster.find(data) and time.monotonic() < give_up_at:
            time.sleep(0.02)
    shutil.rmtree(run, ignore_errors=True)


def _sweep(folder: Path) -> None:
    """Remove what runs that were killed left behind, if nothing uses it."""
    for run in folder.glob(f"{_PREFIX}{os.geteuid()}-*"):
        leases = list(run.glob("*/database/lease"))
        old = time.time() - run.stat().st_mtime > _ABANDONED_AFTER_S
        if old and all(_is_free(lease) for lease in leases):
            shutil.rmtree(run, ignore_errors=True)


def _is_free(path: Path) -> bool:
    with path.open("rb+") as file:
        return try_lock(file.fileno())


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    lock = open_lock(path)
    try:
        wait_lock(lock, patience_s=120, what="another process to migrate the template")
        yield
    finally:
        os.close(lock)
