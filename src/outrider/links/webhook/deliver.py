"""Send the deliveries that are due, through the fetcher and the host leases of the crawler."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from outrider.clock import Clock, SystemClock
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Conflict
from outrider.fetch.outcome import Outcome
from outrider.links.webhook.model import DueDelivery
from outrider.links.webhook.policy import Delivered, GivenUp, result_of
from outrider.links.webhook.signature import signed_headers
from outrider.links.webhook.store import DeliveryStore
from outrider.logs import get_logger

log = get_logger()

DELIVER_EVERY_S = 5.0
MOST_DELIVERIES = 20  # in one pass
LONGEST_PASS_S = 30.0
BUSY_S = 30.0  # the wait if another worker has leased the host


class JsonSender(Protocol):
    """Sends JSON at the pace of the host and follows no redirect; raises Conflict if the host is busy."""

    def post_json(self, url: str, body: bytes, headers: Mapping[str, str]) -> Awaitable[Outcome]: ...


OpenSender = Callable[[], AbstractAsyncContextManager[JsonSender]]


async def deliver_due(
    connection: ReconnectingConnection, open_sender: OpenSender, clock: Clock | None = None
) -> int:
    """Send what is due, within bounds; returns how many deliveries were accepted."""
    store, clock = DeliveryStore(), clock or SystemClock()
    await connection.run(store.forget)
    if not await connection.run(store.any_due):
        return 0
    accepted = 0
    async with open_sender() as sender:
        give_up_at = asyncio.get_running_loop().time() + LONGEST_PASS_S
        for _ in range(MOST_DELIVERIES):
            if asyncio.get_running_loop().time() > give_up_at:
                break
            due = await connection.run(store.claim)
            if due is None:
                break
            accepted += await _send(connection, store, sender, due, clock)
    return accepted


async def _send(
    connection: ReconnectingConnection,
    store: DeliveryStore,
    sender: JsonSender,
    due: DueDelivery,
    clock: Clock,
) -> bool:
    timestamp = int(clock.now().timestamp())
    headers = signed_headers(due.secrets, timestamp, due.body, due.delivery_id, due.kind.value)
    try:
        outcome = await sender.post_json(due.url, due.body, headers)
    except Conflict as busy:
        why = str(busy)
        await connection.run(lambda db: store.postpone(db, due.delivery_id, BUSY_S, why))
        return False
    result = result_of(outcome, due.attempts, clock.now())
    await connection.run(lambda db: store.record(db, due.delivery_id, result), patience_s=60)
    if isinstance(result, GivenUp):
        log.warning("webhook delivery given up", delivery=due.delivery_id, why=result.why)
    return isinstance(result, Delivered)
