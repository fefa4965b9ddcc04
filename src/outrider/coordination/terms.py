"""Terms: each gain of leadership has a number, and the database refuses writes with an old one.

The numbers are in PostgreSQL whatever keeps the lock, because that is where a leader writes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import asyncpg

from outrider.coordination.bounded_query import run_bounded
from outrider.coordination.errors import StaleLeader
from outrider.db.queries import Queries
from outrider.db.reconnecting import ReconnectingConnection

STANDSTILL_S = 30.0

_SQL = Queries.load("outrider.coordination")


@dataclass(frozen=True, slots=True)
class Term:
    """One leadership. `fence` is greater than that of every earlier term of the same election."""

    election: str
    fence: int


async def fenced(db: asyncpg.Connection, term: Term, *, standstill_s: float = STANDSTILL_S) -> None:
    """Call it first in a transaction that writes as the leader. Raises StaleLeader if another one leads.

    No other leader can begin its term until the transaction ends. PostgreSQL ends a transaction that sends
    nothing for `standstill_s`.
    """
    if not db.is_in_transaction():
        raise RuntimeError("fenced() protects the transaction that it is called in: begin one")
    standstill_ms = str(max(1, int(standstill_s * 1000)))
    if await db.fetchval(_SQL.hold_term, term.election, term.fence, standstill_ms) is None:
        raise StaleLeader(f"term {term.fence} of the leader of {term.election!r} is over: another one leads")


async def numbered_names(db: asyncpg.Connection) -> tuple[Sequence[str], Sequence[str]]:
    """The elections and the locks that have given out numbers in a database."""
    elections, locks = await db.fetch(_SQL.election_names), await db.fetch(_SQL.lock_names)
    return [row["name"] for row in elections], [row["name"] for row in locks]


async def outdate_terms(
    db: asyncpg.Connection, elections: Sequence[str] = (), locks: Sequence[str] = ()
) -> None:
    """Free all locks after a restore, with greater numbers than any that was given out before.

    `elections` and `locks` are those of the database that is replaced: the restored one may not have them.
    """
    await db.execute(_SQL.add_elections, elections)
    await db.execute(_SQL.outdate_terms)
    await db.execute(_SQL.add_locks, locks)
    await db.execute(_SQL.free_all_locks)


class Terms:
    """The terms of one election."""

    def __init__(self, connection: ReconnectingConnection, election: str) -> None:
        self._connection = connection
        self._election = election

    async def latest(self) -> int:
        """The number of the latest term; 0 before the first."""
        fence = await run_bounded(
            self._connection, lambda db: db.fetchval(_SQL.current_fence, self._election)
        )
        return fence or 0

    async def begin(self, after: int, holder: str) -> Term | None:
        """Begin the term after number `after`; None if another candidate has begun it."""
        fence = await run_bounded(
            self._connection, lambda db: db.fetchval(_SQL.begin_term, self._election, after, holder[:200])
        )
        return None if fence is None else Term(self._election, fence)
