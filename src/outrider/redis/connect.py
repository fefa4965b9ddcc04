"""Opens a Redis client with short timeouts, and explains connection errors in one sentence."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.connection import Connection, ConnectionPool, SSLConnection, UnixDomainSocketConnection
from redis.asyncio.retry import Retry
from redis.backoff import ConstantBackoff
from redis.exceptions import AuthenticationError, NoPermissionError, RedisError
from redis.exceptions import TimeoutError as NoAnswer

from outrider.errors import Misconfigured, OutriderError, Unavailable
from outrider.redis.address import Address
from outrider.redis.options import RedisOptions

CONNECT_S = 1.0
ANSWER_S = 1.0
TRIES = 3
BETWEEN_TRIES_S = 0.1
MOST_CONNECTIONS = 8


def connect(
    options: RedisOptions,
    *,
    connect_s: float = CONNECT_S,
    answer_s: float = ANSWER_S,
    block_s: float = 0.0,
    tries: int = TRIES,
) -> Redis:
    """A client that opens connections when they are needed; the caller must call `aclose()`.

    A command times out after a second and is tried three times, a tenth of a second apart (RTY-05), so it
    must be safe to repeat. `block_s` is how long blocking commands ask the server to wait.
    """
    address = options.address
    kind, place = _connection_class(address)
    pool = ConnectionPool(
        connection_class=kind,
        protocol=2,
        max_connections=MOST_CONNECTIONS,
        username=address.username,
        password=address.password or options.password,
        db=options.db if address.db is None else address.db,
        socket_connect_timeout=connect_s,
        socket_timeout=answer_s + block_s,
        retry=Retry(ConstantBackoff(BETWEEN_TRIES_S), tries - 1),
        **place,
    )
    return Redis.from_pool(pool)


@contextmanager
def asking(address: Address) -> Iterator[None]:
    """Wrap calls of a client: raises Unavailable for a server that is down, Misconfigured for a bad login."""
    try:
        yield
    except (RedisError, OSError) as error:
        raise explain(error, address) from error


def explain(error: BaseException, address: Address) -> OutriderError:
    """The error as one sentence that names the address."""
    where = f"Redis at {address}"
    # The library wraps errors of opening a connection up to three times.
    causes = [*_causes(error)]
    if _first(causes, AuthenticationError, NoPermissionError):
        return Misconfigured(f"{where} refused the user or password: see OUTRIDER_REDIS_PASSWORD")
    if _first(causes, NoAnswer, TimeoutError):
        return Unavailable(f"{where} did not answer in time")
    if _first(causes, socket.gaierror):
        return Unavailable(f"the host name of {where} does not resolve")
    if system := _first(causes, OSError):
        return Unavailable(f"nothing answers as {where}: {getattr(system, 'strerror', None) or system}")
    return Unavailable(f"{where} cannot be used: {error}")


def _connection_class(address: Address) -> tuple[type[Any], dict[str, Any]]:
    if address.path is not None:
        return UnixDomainSocketConnection, {"path": address.path}
    return SSLConnection if address.tls else Connection, {"host": address.host, "port": address.port}


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _first(errors: list[BaseException], *kinds: type[BaseException]) -> BaseException | None:
    return next((error for error in errors if isinstance(error, kinds)), None)
