"""The subscription that a callback address belongs to, and its channel."""

from dataclasses import dataclass
from typing import Any

from outrider.sources.policy import Policy, policy_of_row
from outrider.urls import UrlKey


@dataclass(frozen=True, slots=True)
class SubscribedChannel:
    """A feed that a hub pushes, with the settings of its source."""

    channel_id: int
    source_id: int
    key: UrlKey
    url: str
    priority: int
    policy: Policy


@dataclass(frozen=True, slots=True)
class CallbackSubscription:
    """A subscription as a hub's callback finds it. The channel is None if it was deleted."""

    subscription_id: int
    topic: str
    secret: str
    leaving: bool
    wanted: SubscribedChannel | None  # None also if the source is disabled or ends the subscription
    channel: SubscribedChannel | None


def subscription_of_row(row: Any) -> CallbackSubscription:
    """A row of `subscription_of_callback`."""
    channel = None if row["channel_id"] is None else _channel(row)
    return CallbackSubscription(
        subscription_id=row["subscription_id"],
        topic=row["topic"],
        secret=row["secret"],
        leaving=row["leaving"],
        wanted=channel if row["is_wanted"] else None,
        channel=channel,
    )


def _channel(row: Any) -> SubscribedChannel:
    return SubscribedChannel(
        channel_id=row["channel_id"],
        source_id=row["source_id"],
        key=UrlKey(row["host_id"], row["url_hash"].hex),
        url=row["url"],
        priority=row["priority"],
        policy=policy_of_row(row),
    )
