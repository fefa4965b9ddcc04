"""The table `alert_delivery`: what the webhook of alerts is told, as a queue for `webhooks.deliver`."""

from uuid import UUID

import asyncpg

from outrider.alerts.model import Alert
from outrider.alerts.options import AlertOptions
from outrider.db.queries import Queries
from outrider.webhooks.deliver import DueDelivery
from outrider.webhooks.policy import Delivered, DeliveryResult, GivenUp, SendAgain

CLAIM_S = 300.0  # longer than any attempt takes
KEPT_DAYS = 30
LONGEST_WAIT_DAYS = 3  # all attempts together take two

_SQL = Queries.load("outrider.alerts")


class AlertDeliveries:
    """The deliveries to the webhook of the settings. Every method runs in the transaction of its caller."""

    def __init__(self, options: AlertOptions) -> None:
        self._options = options

    async def add(
        self, db: asyncpg.Connection, delivery_id: UUID, alert: Alert, event: str, body: str
    ) -> None:
        """Add what the webhook is told about an event of an alert."""
        await db.execute(_SQL.add_delivery, delivery_id, alert.alert_id, alert.key, event, body)

    async def any_due(self, db: asyncpg.Connection) -> bool:
        return bool(await db.fetchval(_SQL.any_due))

    async def claim(self, db: asyncpg.Connection) -> DueDelivery | None:
        """Take the next delivery; another process takes it after `CLAIM_S` if this one dies."""
        url, secret = self._options.webhook, self._options.secret
        row = await db.fetchrow(_SQL.claim_delivery, CLAIM_S) if url is not None else None
        if row is None or url is None:
            return None
        return DueDelivery(
            str(row["delivery_id"]),
            row["event"],
            row["body"].encode(),
            row["attempts"],
            url,
            [secret] if secret else [],
        )

    async def record(self, db: asyncpg.Connection, delivery_id: str, result: DeliveryResult) -> None:
        """Store what became of an attempt. When the receiver is back, the others are sent at once."""
        number = UUID(delivery_id)
        match result:
            case Delivered(status=status):
                await db.execute(_SQL.end_delivery, number, "delivered", status, None)
                await db.execute(_SQL.send_failed_now)
            case GivenUp(status=status, why=why):
                await db.execute(_SQL.end_delivery, number, "dead", status, why)
            case SendAgain(at=at, status=status, why=why):
                await db.execute(_SQL.send_again, number, at, status, why)

    async def postpone(self, db: asyncpg.Connection, delivery_id: str, seconds: float, why: str) -> None:
        await db.execute(_SQL.postpone, UUID(delivery_id), seconds, why[:300])

    async def forget(self, db: asyncpg.Connection) -> None:
        """Remove old deliveries, and give up those that were not sent for days because their host rests."""
        await db.execute(_SQL.end_late, LONGEST_WAIT_DAYS, "its host could not be asked for three days")
        await db.execute(_SQL.forget_deliveries, KEPT_DAYS)

    async def end_without_webhook(self, db: asyncpg.Connection) -> None:
        """End what waits for a webhook that was removed from the settings."""
        if self._options.webhook is None:
            await db.execute(_SQL.end_waiting, "the webhook was removed from the settings")
