"""The table `webhook_delivery`: every method runs in the transaction of its caller."""

import json
from collections.abc import Mapping
from typing import Any
from uuid import UUID

import asyncpg

from outrider.db.pages import fetch_page
from outrider.db.queries import Queries
from outrider.links.webhook.model import Delivery, DeliveryKind, DeliveryState
from outrider.webhooks.deliver import DueDelivery
from outrider.webhooks.policy import Delivered, DeliveryResult, GivenUp, SendAgain

CLAIM_S = 300.0  # longer than any attempt takes
KEPT_DAYS = 30

_SQL = Queries.load("outrider.links.webhook")


class DeliveryStore:
    """Deliveries to the webhooks of sites."""

    async def add(
        self, db: asyncpg.Connection, site_id: int, kind: DeliveryKind, told: Mapping[str, Any]
    ) -> Delivery | None:
        """Add a delivery; None if the site has no webhook."""
        body = json.dumps({"event": kind.value, **told}, ensure_ascii=False, default=str)
        row = await db.fetchrow(_SQL.add_delivery, site_id, kind.value, body)
        return None if row is None else _delivery(row)

    async def any_due(self, db: asyncpg.Connection) -> bool:
        return bool(await db.fetchval(_SQL.any_due))

    async def claim(self, db: asyncpg.Connection) -> DueDelivery | None:
        """Take the next delivery; another process takes it after `CLAIM_S` if this one dies."""
        row = await db.fetchrow(_SQL.claim_delivery, CLAIM_S)
        if row is None:
            return None
        secrets = [secret for secret in (row["webhook_secret"], row["previous_secret"]) if secret]
        return DueDelivery(
            str(row["delivery_id"]),
            row["kind"],
            row["body"].encode(),
            row["attempts"],
            row["update_webhook"],
            secrets,
        )

    async def record(self, db: asyncpg.Connection, delivery_id: str, result: DeliveryResult) -> None:
        """Store what became of an attempt."""
        number = UUID(delivery_id)
        match result:
            case Delivered(status=status):
                await db.execute(_SQL.end_delivery, number, DeliveryState.DELIVERED, status, None)
            case GivenUp(status=status, why=why):
                await db.execute(_SQL.end_delivery, number, DeliveryState.DEAD, status, why)
            case SendAgain(at=at, status=status, why=why):
                await db.execute(_SQL.send_again, number, at, status, why)

    async def postpone(self, db: asyncpg.Connection, delivery_id: str, seconds: float, why: str) -> None:
        await db.execute(_SQL.postpone, UUID(delivery_id), seconds, why[:300])

    async def end_all(self, db: asyncpg.Connection, site_id: int) -> None:
        """End the waiting deliveries of a site whose webhook is removed."""
        await db.execute(_SQL.end_without_webhook, site_id)

    async def count_waiting(self, db: asyncpg.Connection, site_id: int) -> int:
        return int(await db.fetchval(_SQL.count_waiting, site_id))

    async def page(
        self, db: asyncpg.Connection, site_id: int, limit: int, offset: int
    ) -> tuple[list[Delivery], int]:
        """A page of the deliveries of a site, newest first, and their number."""
        rows, total = await fetch_page(db, _SQL.list_deliveries, site_id, limit=limit, offset=offset)
        return [_delivery(row) for row in rows], total

    async def forget(self, db: asyncpg.Connection, days: int = KEPT_DAYS) -> None:
        await db.execute(_SQL.forget_deliveries, days)


def _delivery(row: Any) -> Delivery:
    return Delivery(
        str(row["delivery_id"]),
        DeliveryKind(row["kind"]),
        DeliveryState(row["state"]),
        row["attempts"],
        row["next_attempt_at"],
        row["http_status"],
        row["why"],
        row["created_at"],
        row["ended_at"],
    )
