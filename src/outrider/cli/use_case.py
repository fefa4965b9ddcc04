"""Calls use cases from a command, on the database of its settings or on a server elsewhere.

A command that works with OUTRIDER_URL gives `remote`: the same use case, called over the API of the server.
"""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from asyncpg import Connection

from outrider.cli.database import is_remote, open_database
from outrider.cli.running import run
from outrider.db.retry import retrying
from outrider.remote.server import Server, open_server
from outrider.settings import Loaded

__all__ = ["Connection", "call", "change"]

T = TypeVar("T")

LONGEST_S = 600.0  # of one attempt to change something

UseCase = Callable[[Connection], Awaitable[T]]
RemoteUse = Callable[[Server], Awaitable[T]]


def call(
    loaded: Loaded,
    use_case: UseCase[T],
    *,
    remote: RemoteUse[T] | None = None,
    may_create: bool = False,
    any_rules: bool = False,
) -> T:
    """The result of a use case. A missing embedded database is created only where `may_create` says so."""

    async def work() -> T:
        if remote is not None and is_remote(loaded):
            return await _on_server(loaded, remote)
        opened = open_database(loaded, may_create=may_create, any_rules=any_rules)
        async with opened as database, database.connection() as db:
            return await use_case(db)

    return run(work())


def change(
    loaded: Loaded, use_case: UseCase[T], *, remote: RemoteUse[T] | None = None, may_create: bool = False
) -> T:
    """The same for a use case that writes rows of workers: it runs again after a deadlock."""

    async def work() -> T:
        if remote is not None and is_remote(loaded):
            return await _on_server(loaded, remote)
        async with open_database(loaded, may_create=may_create) as database:

            async def attempt() -> T:
                async with database.connection() as db:
                    return await use_case(db)

            return await retrying(attempt, timeout_s=LONGEST_S)

    return run(work())


async def _on_server(loaded: Loaded, remote: RemoteUse[T]) -> T:
    async with open_server(loaded.settings.remote) as server:
        return await remote(server)
