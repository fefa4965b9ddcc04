"""Connections for backups: to any database of a server, without the timeouts of everyday statements."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from outrider.db.pool import CONNECT_TIMEOUT_S, explain, know_types
from outrider.errors import Misconfigured

_MAINTENANCE = ("postgres", "template1")  # the embedded server has no database `postgres`
_SETTINGS = {
    "application_name": "outrider backup",
    "statement_timeout": "0",
    "idle_in_transaction_session_timeout": "0",
    "lock_timeout": "0",
    "jit": "off",
}


@asynccontextmanager
async def connected(dsn: str, database: str | None = None) -> AsyncIterator[asyncpg.Connection]:
    """A connection to the database of a URL, or to another one of its server."""
    connection = await _open(dsn, database)
    try:
        yield connection
    finally:
        connection.terminate()


@asynccontextmanager
async def connected_beside(dsn: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection to the server of a URL, to a database that is not Outrider's."""
    for database in _MAINTENANCE:
        try:
            connection = await _open(dsn, database)
            break
        except _Absent:
            continue
    else:
        raise Misconfigured(
            "a restore renames databases, for which it connects to the database `postgres` or `template1` of "
            "the same server: let this user connect to one of them"
        )
    try:
        yield connection
    finally:
        connection.terminate()


def dsn_of(dsn: str, database: str) -> str:
    """The URL of another database of the same server."""
    return urlunsplit(urlsplit(dsn)._replace(path=f"/{database}"))


class _Absent(Exception):
    """There is no such database, or this user may not connect to it."""


async def _open(dsn: str, database: str | None) -> asyncpg.Connection:
    try:
        connection = await asyncpg.connect(
            dsn, database=database, timeout=CONNECT_TIMEOUT_S, server_settings=_SETTINGS
        )
    except (asyncpg.InvalidCatalogNameError, asyncpg.InsufficientPrivilegeError) as error:
        if database is not None:
            raise _Absent from error
        raise explain(error, dsn) from error
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, ValueError) as error:
        raise explain(error, dsn) from error
    await know_types(connection)
    return connection
