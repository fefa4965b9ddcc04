"""The three things that keep locks, each on real servers, and processes that want to lead."""

import asyncio
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import asyncpg
from tests.support.redis_server import RedisServer, valkey_server

from outrider.coordination.election import Election
from outrider.coordination.open_store import open_store
from outrider.coordination.options import CoordinationOptions
from outrider.coordination.store import LockStore
from outrider.coordination.terms import Term
from outrider.db.reconnecting import ReconnectingConnection
from outrider.redis.options import RedisOptions

KINDS = {"postgresql": 0, "redis": 1, "redlock": 3}  # and how many Redis servers each has
PATIENCE_S = 30.0

_PROCESS = Path(__file__).with_name("leader_process.py")


@dataclass
class Member:
    """What one process of a fleet has: a connection and a store of its own."""

    connection: ReconnectingConnection
    store: LockStore
    options: CoordinationOptions
    gained: asyncio.Queue[Term] = field(default_factory=asyncio.Queue)
    lost: asyncio.Queue[tuple[Term, str]] = field(default_factory=asyncio.Queue)

    def election(self, name: str = "duty") -> Election:
        return Election(self.connection, self.store, name, holder="a member", options=self.options)

    async def gain(self) -> Term:
        """The next term that it is told of."""
        async with asyncio.timeout(PATIENCE_S):
            return await self.gained.get()

    async def loss(self) -> tuple[Term, str]:
        """The next loss that it is told of."""
        async with asyncio.timeout(PATIENCE_S):
            return await self.lost.get()

    async def run(self, election: Election) -> None:
        """Take part, and keep what the callbacks are told."""

        async def on_gain(term: Term) -> None:
            self.gained.put_nowait(term)

        async def on_loss(term: Term, reason: str) -> None:
            self.lost.put_nowait((term, reason))

        await election.run(on_gain, on_loss)


@dataclass
class Fleet:
    """One kind of lock store: its servers and its settings."""

    dsn: str
    servers: list[RedisServer]

    def options(self, ttl_s: float, renew_s: float | None = None) -> CoordinationOptions:
        addresses = tuple(server.options.address for server in self.servers)
        return CoordinationOptions(addresses, ttl_s=ttl_s, renew_s=renew_s or ttl_s / 4, retry_s=ttl_s / 8)

    @asynccontextmanager
    async def member(
        self,
        ttl_s: float = 30.0,
        dsn: str | None = None,
        *,
        renew_s: float | None = None,
        through_pooler: bool = False,
    ) -> AsyncIterator[Member]:
        options = self.options(ttl_s, renew_s)
        connection = ReconnectingConnection(
            dsn or self.dsn, application_name="member", through_pooler=through_pooler
        )
        store = open_store(options, RedisOptions(), connection)
        try:
            yield Member(connection, store, options)
        finally:
            await store.close()
            await connection.close()

    def environment(self, ttl_s: float) -> dict[str, str]:
        """The settings of a process."""
        options = self.options(ttl_s)
        return {
            "OUTRIDER_DATABASE_URL": self.dsn,
            "OUTRIDER_COORDINATION_REDIS": ",".join(map(str, options.redis)),
            "OUTRIDER_LEADER_TTL": f"{options.ttl_s}s",
            "OUTRIDER_LEADER_RENEWAL": f"{options.renew_s}s",
            "OUTRIDER_LEADER_RETRY": f"{options.retry_s}s",
        }


@contextmanager
def fleet_of(kind: str, dsn: str) -> Iterator[Fleet]:
    with ExitStack() as stack:
        yield Fleet(dsn, [stack.enter_context(valkey_server()) for _ in range(KINDS[kind])])


@asynccontextmanager
async def running(member: Member, election: Election) -> AsyncIterator[Election]:
    """A member takes part in an election during the block."""
    task = asyncio.create_task(member.run(election))
    try:
        yield election
    finally:
        task.cancel()
        await asyncio.wait({task})


async def renewals_of(election: Election, count: int = 3) -> None:
    """Wait until the end of a leadership was put off so often."""
    async with asyncio.timeout(PATIENCE_S):
        for _ in range(count):
            before = election._standing.ends_at
            assert before is not None, "it does not lead"
            while (ends_at := election._standing.ends_at) is not None and ends_at <= before:  # noqa: ASYNC110
                await asyncio.sleep(0.01)


async def wait_for_blocked(pool: asyncpg.Pool) -> None:
    """Wait until a statement of a member waits for a lock of PostgreSQL."""
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    async with asyncio.timeout(PATIENCE_S):
        while not await pool.fetchval(  # noqa: ASYNC110
            f"{waiting} AND application_name = 'member' AND wait_event_type = 'Lock'"
        ):
            await asyncio.sleep(0.01)


class LeaderProcess:
    """A process that wants to lead and writes as leader until it is refused; see leader_process.py."""

    def __init__(self, fleet: Fleet, name: str, *, ttl_s: float) -> None:
        environment = os.environ | fleet.environment(ttl_s) | {"PYTHONPATH": os.pathsep.join(sys.path)}
        self._process = subprocess.Popen(
            [sys.executable, str(_PROCESS), name], stdout=subprocess.PIPE, env=environment
        )
        self._unread = b""

    def wait_for(self, *events: str) -> dict[str, Any]:
        """The next line that tells of one of these events; other lines are skipped."""
        give_up_at = time.monotonic() + PATIENCE_S
        while (line := self._next_event())["event"] not in events:
            assert time.monotonic() < give_up_at, f"it does not tell of {events}"
        return line

    def signal(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate(timeout=PATIENCE_S)

    def _next_event(self) -> dict[str, Any]:
        while not (line := self._next_line()).startswith(b"{"):
            pass  # of its log
        told: dict[str, Any] = json.loads(line)
        return told

    def _next_line(self) -> bytes:
        assert self._process.stdout is not None
        give_up_at = time.monotonic() + PATIENCE_S
        while b"\n" not in self._unread:
            ready, _, _ = select.select([self._process.stdout], [], [], give_up_at - time.monotonic())
            more = os.read(self._process.stdout.fileno(), 65_536) if ready else b""
            assert more, "the process ended, or said nothing for long"
            self._unread += more
        line, _, self._unread = self._unread.partition(b"\n")
        return line
