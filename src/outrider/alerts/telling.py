"""Tell what was opened and closed: as an event, to the webhook, and in the log."""

import json
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import asyncpg

from outrider.alerts.deliveries import AlertDeliveries
from outrider.alerts.model import Alert, AlertSeverity
from outrider.alerts.options import AlertOptions
from outrider.alerts.words import page_of, sentence_of
from outrider.events.catalogue import EventKind
from outrider.events.log import write_events
from outrider.events.record import NewEvent
from outrider.logs import get_logger
from outrider.wording import span

log = get_logger()


async def record_change(
    db: asyncpg.Connection, alert: Alert, options: AlertOptions, public_url: str | None
) -> None:
    """Write the event of a change, and its delivery if there is a webhook, in the caller's transaction."""
    kind = EventKind.ALERT_OPENED if alert.closed_at is None else EventKind.ALERT_CLOSED
    told = described(alert)
    await write_events(db, [NewEvent(kind, str(alert.alert_id), told)])
    if options.webhook is not None:
        delivery_id = uuid4()
        url = None if public_url is None else public_url + page_of(alert.kind, alert.subject)
        message = {
            "id": str(delivery_id),
            "event": kind.value,
            **told,
            "text": text_of(alert, url),
            "url": url,
        }
        body = json.dumps(message, ensure_ascii=False)
        await AlertDeliveries(options).add(db, delivery_id, alert, kind.value, body)


def described(alert: Alert) -> dict[str, Any]:
    """An alert as events and the webhook tell it."""
    subject = alert.subject
    return {
        "alert_id": alert.alert_id,
        "key": alert.key,
        "kind": alert.kind,
        "severity": alert.severity.value,
        "sentence": sentence_of(alert.kind, subject, alert.numbers),
        "subject": {"kind": subject.kind.value, "id": subject.id, "name": subject.name} if subject else None,
        "numbers": dict(alert.numbers),
        "opened_at": _written(alert.opened_at),
        "closed_at": None if alert.closed_at is None else _written(alert.closed_at),
    }


def text_of(alert: Alert, url: str | None) -> str:
    """The line that a chat shows."""
    sentence = sentence_of(alert.kind, alert.subject, alert.numbers)
    link = f" {url}" if url else ""
    if alert.closed_at is None:
        return f"{alert.severity.value.capitalize()}: {sentence}{link}"
    lasted = span((alert.closed_at - alert.opened_at).total_seconds())
    return f"Over after {lasted}: {sentence}{link}"


def log_change(alert: Alert) -> None:
    """One line of the log: a warning or an error for what opens, information for what closes."""
    fields = {
        "alert_id": alert.alert_id,
        "kind": alert.kind,
        "severity": alert.severity.value,
        "sentence": sentence_of(alert.kind, alert.subject, alert.numbers),
    }
    if alert.closed_at is not None:
        lasted_s = round((alert.closed_at - alert.opened_at).total_seconds())
        log.info("alert closed", **fields, lasted_s=lasted_s)
    elif alert.severity is AlertSeverity.CRITICAL:
        log.error("alert opened", **fields)
    else:
        log.warning("alert opened", **fields)


def _written(at: datetime) -> str:
    return at.astimezone(UTC).isoformat()
