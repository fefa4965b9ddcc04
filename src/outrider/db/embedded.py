"""A real PostgreSQL in the data directory: one server, shared by any number of processes.

    with EmbeddedPostgres(data_dir, {}) as server:
        pool = await open_pool(server.dsn, …)

Every process that uses the server takes a lease of its own (`start`), so a worker that outlives
its parent keeps the server up. A keeper process stops the server after the last lease. A supervisor
calls `ensure_running` from time to time to restart a server or a keeper that was killed.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from types import TracebackType
from urllib.parse import quote

from outrider.db import binaries, postmaster
from outrider.db.account import Account
from outrider.db.cluster import DATABASE, START_PATIENCE_S, Cluster
from outrider.db.home import Home, cannot_use, prepare
from outrider.db.locks import open_lock, try_lock, wait_lock
from outrider.db.options import DatabaseOptions
from outrider.db.postmaster import Postmaster
from outrider.errors import Unavailable

_LOCK_PATIENCE_S = START_PATIENCE_S + 60
_STOP_PATIENCE_S = 90.0
_STARTS = 5
_POLL_S = 0.02


class EmbeddedPostgres:
    """This process's lease of the server in one data directory. Its calls block: use a thread."""

    def __init__(self, root: Path, settings: Mapping[str, str], *, bindir: Path | None = None) -> None:
        self._root = root
        self._settings = dict(settings)
        self._bindir = bindir
        self._lease: int | None = None
        self._home: Home | None = None
        self._dsn = ""

    @property
    def dsn(self) -> str:
        """The DSN, for asyncpg and psycopg."""
        return self._dsn

    def start(self) -> str:
        """Take a lease, start the server if it does not run, and return the DSN."""
        try:
            home, account = prepare(self._root)
            self._home = home
            with _locked(home.start_lock):
                if self._lease is None:
                    self._lease = _take_lease(home)
                with _keeper(home):
                    self._bring_up(home, account)
        except OSError as error:
            self.release()
            raise cannot_use(self._root, error) from error
        except BaseException:
            self.release()
            raise
        return self._dsn

    def ensure_running(self) -> bool:
        """Restart the server or its keeper if either was killed; True if it was the server."""
        if self._lease is not None and self._home is not None:
            server = postmaster.find(self._home.data)
            if server is not None and server.is_ready:
                with _keeper(self._home):
                    return False
        self.start()
        return True

    def release(self) -> None:
        """Release the lease. The keeper stops the server after the last release."""
        if self._lease is None or self._home is None:
            return
        # Without the directory, which may have been removed, there is no server that needs a keeper.
        with suppress(OSError, Unavailable), _keeper(self._home):
            pass
        os.close(self._lease)
        self._lease = None

    def __enter__(self) -> "EmbeddedPostgres":
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def _bring_up(self, home: Home, account: Account) -> None:
        server = _settled(home.data)
        for _ in range(_STARTS):
            if server is not None:
                break
            self._start_server(home, account)
            server = _settled(home.data)
        if server is None:
            raise Unavailable(
                f"PostgreSQL in {home.path} was killed in {_STARTS} starts (its log: {home.log})"
            )
        self._dsn = f"postgresql://{DATABASE}@/{DATABASE}?host={quote(server.socket_dir)}&port={server.port}"

    def _start_server(self, home: Home, account: Account) -> None:
        chosen = binaries.within_reach(binaries.choose(home.data, self._bindir), account, home.path)
        cluster = Cluster(home, account, chosen)
        if binaries.written_by(home.data) is None:
            cluster.create()
        cluster.start(self._settings)


def lease_of(options: DatabaseOptions) -> AbstractContextManager[object]:
    """A lease of this process on the embedded server; nothing to hold if the settings name a server."""
    return nullcontext() if options.url is not None else EmbeddedPostgres(options.data_dir, {})


def _settled(data: Path) -> Postmaster | None:
    """Wait until the server takes connections; None if there is none, or it has stopped."""
    give_up_at = time.monotonic() + START_PATIENCE_S
    while server := postmaster.find(data):
        if server.is_ready:
            return server
        if time.monotonic() > give_up_at:
            raise Unavailable(f"PostgreSQL in {data} has not become ready in {START_PATIENCE_S:.0f} seconds")
        time.sleep(_POLL_S)
    return None


def _take_lease(home: Home) -> int:
    lease = open_lock(home.lease)
    try:
        what = f"the server in {home.path} to stop"
        wait_lock(lease, shared=True, patience_s=_STOP_PATIENCE_S, what=what)
    except BaseException:
        os.close(lease)
        raise
    return lease


@contextmanager
def _keeper(home: Home) -> Iterator[None]:
    """Start a keeper meanwhile, unless one holds its lock. It inherits the lock, so there is never a second.

    The caller has a lease: a keeper leaves after the last one.
    """
    importable = os.pathsep.join(str(Path(entry).absolute()) for entry in sys.path)
    lock = open_lock(home.keeper_lock)
    try:
        if not try_lock(lock):
            yield
            return
        with subprocess.Popen(
            [sys.executable, "-P", "-m", "outrider.db.keeper", str(home.path), str(lock)],
            pass_fds=[lock],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env=os.environ | {"PYTHONPATH": importable},
            start_new_session=True,
        ) as starting:
            yield
        if starting.returncode != 0:
            raise Unavailable(f"{sys.executable} could not start the keeper of the database in {home.path}")
    finally:
        os.close(lock)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    lock = open_lock(path)
    try:
        wait_lock(lock, patience_s=_LOCK_PATIENCE_S, what=f"another process to start the server ({path})")
        yield
    finally:
        os.close(lock)
