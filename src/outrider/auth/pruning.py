"""Removes what has expired: sessions, revoked JWTs, old failures and empty windows."""

from dataclasses import dataclass

import asyncpg

from outrider.auth.options import WINDOW_S
from outrider.auth.throttle import FORGOTTEN
from outrider.db.queries import Queries
from outrider.db.reconnecting import ReconnectingConnection
from outrider.periodic_tasks import PeriodicTask

PRUNE_S = 300.0
AT_ONCE = 5_000  # rows of each table in one pass

_SQL = Queries.load("outrider.auth")


@dataclass(frozen=True, slots=True)
class PrunedAuth:
    """How many rows one pass removed."""

    sessions: int
    revoked_jwts: int
    throttles: int
    windows: int


async def prune_auth(db: asyncpg.Connection) -> PrunedAuth:
    """One pass; several processes may do it at once."""
    return PrunedAuth(
        sessions=await db.fetchval(_SQL.prune_sessions, AT_ONCE),
        revoked_jwts=await db.fetchval(_SQL.prune_revoked_jwts, AT_ONCE),
        throttles=await db.fetchval(_SQL.prune_throttles, FORGOTTEN, AT_ONCE),
        windows=await db.fetchval(_SQL.prune_windows, WINDOW_S, AT_ONCE),
    )


def auth_tasks(connection: ReconnectingConnection) -> list[PeriodicTask]:
    """Safe in several processes at once."""
    return [PeriodicTask("remove expired logins", PRUNE_S, lambda: connection.run(prune_auth))]
