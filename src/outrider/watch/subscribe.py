"""Asking hubs for pushes: one channel a call, renewed before its lease ends, polled all the while."""

import secrets
from collections.abc import Awaitable, Callable, Mapping

import structlog

from outrider.db.line import Line
from outrider.db.queries import Queries
from outrider.errors import Conflict
from outrider.feeds.websub import callback_of, subscription
from outrider.fetch.outcome import Failed, Fetched, Outcome, Rejected

log = structlog.get_logger(__name__)

Post = Callable[[str, Mapping[str, str]], Awaitable[Outcome]]

REFUSED_S = 86_400.0  # a hub that does not want us is asked again after this
DOWN_S = 3600.0  # one that cannot answer
BUSY_S = 300.0  # and one whose host somebody else is talking to


class Subscriber:
    """The duty of subscribing. `callback` is the public address of the listener in `pushes.py`.

    `post` sends a form in the hub's own rhythm, or raises Conflict when the hub's host is busy.
    """

    def __init__(self, line: Line, callback: str, post: Post) -> None:
        self._line = line
        self._callback = callback
        self._post = post
        self._sql = Queries.load("outrider.watch")

    async def one(self) -> bool | None:
        """Ask the next hub that is due; whether it took the request, or None when none is due.

        Taking it is not yet a subscription: the hub calls back to verify, and only that counts.
        """
        fresh = secrets.token_urlsafe(32)
        row = await self._line.run(lambda db: db.fetchrow(self._sql.claim_subscription, fresh), patience_s=60)
        if row is None:
            return None
        channel_id, topic, secret = row["channel_id"], row["topic"], row["hub_secret"]
        form = subscription(callback_of(self._callback, channel_id, secret), topic, secret)
        try:
            outcome = await self._post(row["hub"], form)
        except Conflict as busy:
            log.info("subscription put off", topic=topic, why=str(busy))
            await self._ask_again_in(channel_id, BUSY_S)
            return False
        if isinstance(outcome, Fetched):
            return True
        log.warning("hub takes no subscription", hub=row["hub"], topic=topic, outcome=type(outcome).__name__)
        await self._ask_again_in(channel_id, rest_s(outcome))
        return False

    async def _ask_again_in(self, channel_id: int, seconds: float) -> None:
        await self._line.run(lambda db: db.execute(self._sql.ask_hub_in, channel_id, seconds), patience_s=60)


def rest_s(outcome: Outcome) -> float:
    """How long a hub is left alone that did not take a subscription."""
    match outcome:
        case Failed():
            return DOWN_S
        case Rejected(exchange=exchange, retry_after_s=asked_s) if (
            exchange.status == 429 or exchange.status >= 500
        ):
            return max(DOWN_S, asked_s or 0.0)
        case _:
            return REFUSED_S
