"""The database of a command: the embedded one, or the server that the settings name."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import cast

import asyncpg

from outrider.cli.early_start import EarlyDatabase
from outrider.db import migrate
from outrider.db.binaries import written_by
from outrider.db.embedded import EmbeddedPostgres
from outrider.db.home import Home
from outrider.db.options import DatabaseOptions
from outrider.db.pool import open_pool
from outrider.errors import Misconfigured, NotFound, Unavailable
from outrider.frontier.normalisation import ensure_rules_version
from outrider.settings import Loaded

RESTARTS = 2


@dataclass(frozen=True, slots=True)
class Database:
    """The address and the pool of the database; `embedded` is None for a server."""

    dsn: str
    pool: asyncpg.Pool
    embedded: EmbeddedPostgres | None

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[asyncpg.Connection]:
        """One connection of the pool."""
        async with self.pool.acquire() as proxy:
            yield cast(asyncpg.Connection, proxy)


@asynccontextmanager
async def open_database(
    loaded: Loaded, *, may_create: bool = True, any_rules: bool = False, early: EarlyDatabase | None = None
) -> AsyncIterator[Database]:
    """The database, with the schema this Outrider needs.

    An embedded database is migrated first; a server never is, and the error says what to run.
    Commands that only read do not create one (`may_create=False`). Only a rehash opens a database whose
    URLs are normalised by other rules (`any_spelling=True`). `early` is a database that was started before.
    """
    async with reach_database(loaded, may_create=may_create, early=early) as database:
        async with database.connection() as connection:
            await migrate.ensure_current(connection, automatic=database.embedded is not None)
            if not any_rules:
                await ensure_rules_version(connection)
        yield database


@asynccontextmanager
async def reach_database(
    loaded: Loaded, *, may_create: bool = True, early: EarlyDatabase | None = None
) -> AsyncIterator[Database]:
    """The database, with any schema version."""
    async with _server(loaded, may_create=may_create, early=early) as embedded:
        options = loaded.settings.database
        pool = await _open(options, embedded)
        dsn = embedded.dsn if embedded else options.url or ""
        try:
            yield Database(dsn, pool, embedded)
        finally:
            pool.terminate()


@asynccontextmanager
async def reach_server(loaded: Loaded, *, may_create: bool = False) -> AsyncIterator[str]:
    """The address of the database. This process is not connected to it, so that it can be replaced."""
    async with _server(loaded, may_create=may_create, early=None) as embedded:
        yield embedded.dsn if embedded else loaded.settings.database.url or ""


@asynccontextmanager
async def _server(
    loaded: Loaded, *, may_create: bool, early: EarlyDatabase | None
) -> AsyncIterator[EmbeddedPostgres | None]:
    """The embedded server, running; None if the settings name a server."""
    options = loaded.settings.database
    if is_remote(loaded):
        raise Misconfigured(
            "this command does not work with a server elsewhere, only with a database: run it on the server, "
            "or unset OUTRIDER_URL"
        )
    embedded: EmbeddedPostgres | None = None
    if options.url is None:
        if not may_create and not exists(options.data_dir):
            raise NotFound(
                f"there is no crawl in {options.data_dir} yet: `outrider crawl URL` starts one, "
                "`outrider source add URL` watches a site"
            )
        if early is not None:
            embedded = await asyncio.to_thread(early.result)
        else:
            embedded = EmbeddedPostgres(options.data_dir, {})
            await asyncio.to_thread(embedded.start)
    try:
        yield embedded
    finally:
        if embedded is not None:
            await asyncio.to_thread(embedded.release)


async def _open(options: DatabaseOptions, embedded: EmbeddedPostgres | None) -> asyncpg.Pool:
    """Connect. An embedded server that was killed since its start is started again."""
    for _ in range(RESTARTS if embedded else 0):
        try:
            return await _open_once(options, embedded)
        except Unavailable:
            assert embedded is not None
            await asyncio.to_thread(embedded.ensure_running)
    return await _open_once(options, embedded)


async def _open_once(options: DatabaseOptions, embedded: EmbeddedPostgres | None) -> asyncpg.Pool:
    return await open_pool(
        embedded.dsn if embedded else options.url or "",
        size=options.connections,
        application_name="outrider",
        through_pooler=options.through_pooler,
        statement_timeout=timedelta(seconds=options.statement_timeout_s),
    )


def exists(data_dir: Path) -> bool:
    """Whether the directory has an embedded database."""
    return written_by(Home(data_dir.expanduser().resolve() / "database").data) is not None


def has_database(loaded: Loaded) -> bool:
    """Whether there is a database: the settings name a server, or an embedded database exists."""
    options = loaded.settings.database
    return is_remote(loaded) or options.url is not None or exists(options.data_dir)


def is_remote(loaded: Loaded) -> bool:
    """Whether commands talk to an Outrider server and not to a database."""
    return loaded.settings.remote.url is not None


def need_direct_connection(loaded: Loaded, command: str) -> None:
    """Refuse a pooler for work that takes a lock for longer than a transaction."""
    if loaded.settings.database.through_pooler:
        raise Misconfigured(
            f"`outrider {command}` needs a direct connection and no pooler: set the server in "
            "OUTRIDER_DATABASE_URL, and set OUTRIDER_DATABASE_POOLER to false for this command"
        )
