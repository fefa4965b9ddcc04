"""Send the deliveries of a queue that are due, through the fetcher and the host leases of the crawler."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

import asyncpg

from outrider.clock import Clock, SystemClock
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Conflict
from outrider.fetch.outcome import Outcome
from outrider.logs import get_logger
from outrider.webhooks.policy import Delivered, DeliveryResult, GivenUp, result_of
from outrider.webhooks.signature import signed_headers

log = get_logger()

DELIVER_EVERY_S = 5.0
MOST_DELIVERIES = 20  # in one pass
LONGEST_PASS_S = 30.0
BUSY_S = 30.0  # the wait if another worker has leased the host


@dataclass(frozen=True, slots=True)
class DueDelivery:
    """A delivery that this process sends now. `secrets` sign it and are not shown."""

    delivery_id: str
    kind: str
    body: bytes
    attempts: int  # with this one
    url: str
    secrets: Sequence[str]

    def __repr__(self) -> str:
        return f"DueDelivery({self.delivery_id})"


class DeliveryQueue(Protocol):
    """Deliveries in the database. Every method runs in the transaction of its caller."""

    async def forget(self, db: asyncpg.Connection) -> None:
        """Remove old deliveries that have ended."""

    async def any_due(self, db: asyncpg.Connection) -> bool:
        """Whether a delivery is to be sent now."""

    async def claim(self, db: asyncpg.Connection) -> DueDelivery | None:
        """Take the next delivery; another process takes it later if this one dies."""

    async def record(self, db: asyncpg.Connection, delivery_id: str, result: DeliveryResult) -> None:
        """Store what became of an attempt."""

    async def postpone(self, db: asyncpg.Connection, delivery_id: str, seconds: float, why: str) -> None:
        """The delivery was not sent: this was no attempt."""


class JsonSender(Protocol):
    """Sends JSON at the pace of the host and follows no redirect; raises Conflict if the host is busy."""

    def post_json(self, url: str, body: bytes, headers: Mapping[str, str]) -> Awaitable[Outcome]: ...


OpenSender = Callable[[], AbstractAsyncContextManager[JsonSender]]


async def deliver_due(
    connection: ReconnectingConnection,
    queue: DeliveryQueue,
    open_sender: OpenSender,
    clock: Clock | None = None,
) -> int:
    """Send what is due, within bounds; returns how many deliveries were accepted."""
    clock = clock or SystemClock()
    await connection.run(queue.forget)
    if not await connection.run(queue.any_due):
        return 0
    accepted = 0
    async with open_sender() as sender:
        give_up_at = asyncio.get_running_loop().time() + LONGEST_PASS_S
        for _ in range(MOST_DELIVERIES):
            if asyncio.get_running_loop().time() > give_up_at:
                break
            due = await connection.run(queue.claim)
            if due is None:
                break
            accepted += await _send(connection, queue, sender, due, clock)
    return accepted


async def _send(
    connection: ReconnectingConnection,
    queue: DeliveryQueue,
    sender: JsonSender,
    due: DueDelivery,
    clock: Clock,
) -> bool:
    timestamp = int(clock.now().timestamp())
    headers = signed_headers(due.secrets, timestamp, due.body, due.delivery_id, due.kind)
    try:
        outcome = await sender.post_json(due.url, due.body, headers)
    except Conflict as busy:
        why = str(busy)
        await connection.run(lambda db: queue.postpone(db, due.delivery_id, BUSY_S, why))
        return False
    result = result_of(outcome, due.attempts, clock.now())
    await connection.run(lambda db: queue.record(db, due.delivery_id, result), patience_s=60)
    if isinstance(result, GivenUp):
        log.warning("webhook delivery given up", delivery=due.delivery_id, why=result.why)
    return isinstance(result, Delivered)
