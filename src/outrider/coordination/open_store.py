"""Chooses what keeps the locks: several Redis servers, one, or PostgreSQL."""

from dataclasses import replace

from outrider.coordination.options import CoordinationOptions
from outrider.coordination.postgres_store import PostgresLockStore
from outrider.coordination.store import LockStore
from outrider.db.reconnecting import ReconnectingConnection
from outrider.redis.options import RedisOptions


def open_store(
    options: CoordinationOptions, redis: RedisOptions, connection: ReconnectingConnection
) -> LockStore:
    """The store that the settings ask for. `connection` is used for nothing else. The caller closes both."""
    servers = servers_for(options, redis)
    if not servers:
        return PostgresLockStore(connection)
    # Importing redis takes a tenth of a second and ten megabytes, so only processes that use it import it.
    if len(servers) == 1:
        from outrider.coordination.redis_store import RedisLockStore

        return RedisLockStore(servers[0])
    from outrider.coordination.redlock_store import RedlockStore

    return RedlockStore(servers)


def servers_for(options: CoordinationOptions, redis: RedisOptions) -> list[RedisOptions]:
    """The Redis servers that hold the locks; none: PostgreSQL holds them. Pure."""
    if options.redis:
        return [replace(redis, address=address) for address in options.redis]
    return [] if redis == RedisOptions() else [redis]
