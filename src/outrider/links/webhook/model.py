"""The types of webhook deliveries."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class DeliveryKind(StrEnum):
    """What a delivery tells."""

    UPDATE_REQUESTED = "link.update_requested"
    TEST = "test"


class DeliveryState(StrEnum):
    """What became of a delivery."""

    WAITING = "waiting"
    DELIVERED = "delivered"
    DEAD = "dead"  # no attempt succeeded, or the address is not allowed


@dataclass(frozen=True, slots=True)
class Delivery:
    """A request to a webhook, as lists show it."""

    delivery_id: str
    kind: DeliveryKind
    state: DeliveryState
    attempts: int
    next_attempt_at: datetime | None
    http_status: int | None
    why: str | None
    created_at: datetime
    ended_at: datetime | None
