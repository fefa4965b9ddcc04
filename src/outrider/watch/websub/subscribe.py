"""Subscribes to hubs, renews subscriptions and ends them: one request a call."""

from collections.abc import Awaitable, Callable, Mapping

import asyncpg

from outrider.db.queries import Queries
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Conflict
from outrider.fetch.outcome import Failed, Fetched, Outcome, Rejected
from outrider.logs import get_logger
from outrider.watch.websub.protocol import callback_of, subscription, unsubscription

log = get_logger()

Post = Callable[[str, Mapping[str, str]], Awaitable[Outcome]]

REFUSED_S = 86_400.0  # the wait after a hub refused the request
DOWN_S = 3600.0  # the wait after a hub did not answer or failed
BUSY_S = 300.0  # the wait if another worker has leased the hub's host


class Subscriber:
    """The periodic task for subscriptions. `callback` is the public address of the listener in `pushes.py`.

    `post` sends a form and obeys the delay of the hub's host; it raises Conflict if that host is busy.
    """

    def __init__(self, connection: ReconnectingConnection, callback: str, post: Post) -> None:
        self._connection = connection
        self._callback = callback
        self._post = post
        self._sql = Queries.load("outrider.watch")

    async def look_up(self) -> None:
        """Add subscriptions for feeds that name a hub, and delete ended ones."""

        async def write(db: asyncpg.Connection) -> None:
            await db.execute(self._sql.forget_subscriptions)
            await db.execute(self._sql.note_subscriptions)

        await self._connection.run(write, patience_s=60)

    async def one(self) -> bool | None:
        """Send the next due request; returns whether the hub accepted it, or None if none is due.

        The subscription starts when the hub calls back to verify it, not when it accepts the request.
        """
        row = await self._connection.run(lambda db: db.fetchrow(self._sql.claim_subscription), patience_s=60)
        if row is None:
            return None
        subscription_id, topic, secret = row["subscription_id"], row["topic"], row["secret"]
        callback = callback_of(self._callback, subscription_id, secret)
        form = unsubscription(callback, topic) if row["leaving"] else subscription(callback, topic, secret)
        try:
            outcome = await self._post(row["hub"], form)
        except Conflict as busy:
            log.info("hub request postponed", topic=topic, why=str(busy))
            await self._ask_again_in(subscription_id, BUSY_S)
            return False
        if isinstance(outcome, Fetched):
            return True
        event = "hub refuses unsubscription" if row["leaving"] else "hub refuses subscription"
        log.warning(event, hub=row["hub"], topic=topic, outcome=type(outcome).__name__)
        await self._ask_again_in(subscription_id, rest_s(outcome))
        return False

    async def _ask_again_in(self, subscription_id: int, seconds: float) -> None:
        await self._connection.run(
            lambda db: db.execute(self._sql.ask_hub_in, subscription_id, seconds), patience_s=60
        )


def rest_s(outcome: Outcome) -> float:
    """The wait before the next request to a hub that did not accept one."""
    match outcome:
        case Failed():
            return DOWN_S
        case Rejected(exchange=exchange, retry_after_s=asked_s) if (
            exchange.status == 429 or exchange.status >= 500
        ):
            return max(DOWN_S, asked_s or 0.0)
        case _:
            return REFUSED_S
