"""Asking hubs to push, to go on pushing, and to stop: one hub a call, with polling all the while."""

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

REFUSED_S = 86_400.0  # a hub that does not want us is asked again after this
DOWN_S = 3600.0  # one that cannot answer
BUSY_S = 300.0  # and one whose host somebody else is talking to


class Subscriber:
    """The duty of subscribing. `callback` is the public address of the listener in `pushes.py`.

    `post` sends a form in the hub's own rhythm, or raises Conflict when the hub's host is busy.
    """

    def __init__(self, connection: ReconnectingConnection, callback: str, post: Post) -> None:
        self._connection = connection
        self._callback = callback
        self._post = post
        self._sql = Queries.load("outrider.watch")

    async def look_up(self) -> None:
        """See which feeds name a hub by now, and forget what has come to its end."""

        async def write(db: asyncpg.Connection) -> None:
            await db.execute(self._sql.forget_subscriptions)
            await db.execute(self._sql.note_subscriptions)

        await self._connection.run(write, patience_s=60)

    async def one(self) -> bool | None:
        """Ask the next hub that is due; whether it took the request, or None when none is due.

        Taking it is not yet the end of it: the hub calls back to verify, and only that counts.
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
            log.info("hub put off", topic=topic, why=str(busy))
            await self._ask_again_in(subscription_id, BUSY_S)
            return False
        if isinstance(outcome, Fetched):
            return True
        event = "hub does not let go" if row["leaving"] else "hub takes no subscription"
        log.warning(event, hub=row["hub"], topic=topic, outcome=type(outcome).__name__)
        await self._ask_again_in(subscription_id, rest_s(outcome))
        return False

    async def _ask_again_in(self, subscription_id: int, seconds: float) -> None:
        await self._connection.run(
            lambda db: db.execute(self._sql.ask_hub_in, subscription_id, seconds), patience_s=60
        )


def rest_s(outcome: Outcome) -> float:
    """How long a hub is left alone that did not take a request."""
    match outcome:
        case Failed():
            return DOWN_S
        case Rejected(exchange=exchange, retry_after_s=asked_s) if (
            exchange.status == 429 or exchange.status >= 500
        ):
            return max(DOWN_S, asked_s or 0.0)
        case _:
            return REFUSED_S
