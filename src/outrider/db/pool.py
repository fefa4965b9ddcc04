"""Opens the connection pool, and explains connection errors in one sentence."""

import json
import socket
from datetime import timedelta

import asyncpg

from outrider.db.array_types import know_arrays
from outrider.errors import Misconfigured, OutriderError, Unavailable
from outrider.masking import mask_urls

CONNECT_TIMEOUT_S = 10.0

_JSONB_VERSION = b"\x01"


async def open_pool(
    dsn: str,
    *,
    size: int,
    application_name: str,
    generic_plans: bool = False,
    through_pooler: bool = False,
    statement_timeout: timedelta = timedelta(seconds=60),
    is_lazy: bool = False,
) -> asyncpg.Pool:
    """A pool of at most `size` connections, the first of them already open.

    A pool that `is_lazy` opens connections only when they are needed, so the database may be away.

    `generic_plans` plans each prepared statement once, which suits the hot path but not reports.
    `through_pooler` is for PgBouncer in transaction mode: it rejects session settings and may use another
    backend for every transaction, so neither session settings nor named statements are used.
    """
    settings = {"application_name": application_name}
    if not through_pooler:
        settings |= {
            "jit": "off",  # our statements are short; compiling them costs more than running them
            "max_parallel_workers_per_gather": "0",  # starting a process costs more than it saves
            "plan_cache_mode": "force_generic_plan" if generic_plans else "auto",
            "statement_timeout": _milliseconds(statement_timeout),
            "idle_in_transaction_session_timeout": _milliseconds(statement_timeout * 2),
        }
    try:
        return await asyncpg.create_pool(
            dsn,
            min_size=0 if is_lazy else 1,
            max_size=size,
            timeout=CONNECT_TIMEOUT_S,
            init=know_types,
            server_settings=settings,
            statement_cache_size=0 if through_pooler else 100,
        )
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, ValueError) as error:
        raise explain(error, dsn) from error


def explain(error: BaseException, dsn: str) -> OutriderError:
    """The error as one sentence that names the DSN without its password."""
    where = mask_urls(dsn)
    match error:
        case asyncpg.InvalidPasswordError() | asyncpg.InvalidAuthorizationSpecificationError():
            return Unavailable(f"PostgreSQL at {where} refused the user or password: {error}")
        case asyncpg.InvalidCatalogNameError():
            return Unavailable(f"PostgreSQL at {where} has no such database: create it, or correct the name")
        case asyncpg.TooManyConnectionsError():
            return Unavailable(
                f"PostgreSQL at {where} has no connection left: raise max_connections or lower the pool size"
            )
        case asyncpg.DiskFullError():
            return Unavailable(f"no space is left for PostgreSQL at {where}: free some")
        case asyncpg.ProtocolViolationError() if "startup parameter" in str(error):
            return Misconfigured(
                f"{where} leads to a connection pooler: set OUTRIDER_DATABASE_POOLER to true"
            )
        case asyncpg.CannotConnectNowError():
            return Unavailable(f"PostgreSQL at {where} is starting or stopping: try again in a moment")
        case asyncpg.ClientConfigurationError() | ValueError() | asyncpg.InterfaceError():
            return Misconfigured(f"the database URL {where} cannot be used: {error}")
        case TimeoutError():
            return Unavailable(f"PostgreSQL at {where} did not answer within {CONNECT_TIMEOUT_S:g} seconds")
        case socket.gaierror():
            return Unavailable(f"the host name in {where} does not resolve")
        case ConnectionRefusedError() | FileNotFoundError():
            return Unavailable(f"nothing is listening at {where}: is PostgreSQL running there?")
        case _:
            return Unavailable(f"PostgreSQL at {where} cannot be reached: {error}")


async def know_types(connection: asyncpg.Connection) -> None:
    """Prepare a new connection for the types of our statements."""
    await use_json(connection)
    know_arrays(connection)


async def use_json(connection: asyncpg.Connection) -> None:
    """Convert jsonb to and from Python values, in binary format, which composite values need."""
    await connection.set_type_codec(
        "jsonb", schema="pg_catalog", encoder=_encode_json, decoder=_decode_json, format="binary"
    )


def _encode_json(value: object) -> bytes:
    return _JSONB_VERSION + json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _decode_json(value: bytes) -> object:
    return json.loads(value.removeprefix(_JSONB_VERSION))


def _milliseconds(duration: timedelta) -> str:
    return str(int(duration.total_seconds() * 1000))
