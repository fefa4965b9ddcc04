"""One pass: read the figures, decide, and write and tell what changed."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

import asyncpg

from outrider.alerts.deliveries import AlertDeliveries
from outrider.alerts.folding import folded
from outrider.alerts.lifecycle import AlertStep, next_step
from outrider.alerts.model import Alert, AlertKind, AlertRecord, Condition
from outrider.alerts.options import AlertOptions
from outrider.alerts.read import PARTS, Reading, read_figures
from outrider.alerts.rules import conditions_of, holds
from outrider.alerts.store import AlertStore
from outrider.alerts.telling import log_change, record_change
from outrider.db.reconnecting import ReconnectingConnection

CHECK_EVERY_S = 30.0

Fence = Callable[[asyncpg.Connection], Awaitable[None]]

_STORE = AlertStore()


async def check_alerts(
    connection: ReconnectingConnection,
    fence: Fence,
    options: AlertOptions,
    public_url: str | None = None,
    *,
    is_backed_up_daily: bool = False,
) -> list[Alert]:
    """Open and close what is to be opened and closed now; returns the alerts whose state changed.

    `fence` raises in a process that does not lead any more. `public_url` is the address of the dashboard.
    """
    reading = await connection.run(
        partial(read_figures, options=options, is_backed_up_daily=is_backed_up_daily)
    )
    write = partial(_write, fence=fence, reading=reading, options=options, public_url=public_url)
    changed = await connection.run(write)
    for alert in changed:
        log_change(alert)
    return changed


async def _write(
    db: asyncpg.Connection,
    fence: Fence,
    reading: Reading,
    options: AlertOptions,
    public_url: str | None,
) -> list[Alert]:
    """All of it in one transaction, which the connection has begun."""
    await fence(db)
    known = await _STORE.known(db)
    conditions = conditions_of(reading.figures, options, reading.at)
    wanted = {each.key: each for each in folded(conditions, known, options.most_single)}
    steps = _steps(known, wanted, reading, options)
    changed = await _take(db, steps, known, wanted)
    for alert in changed:
        await record_change(db, alert, options, public_url)
    for within, levels in reading.levels.items():
        await _STORE.keep_levels(db, levels, within / PARTS)
    await _STORE.forget(db)
    await AlertDeliveries(options).end_without_webhook(db)
    return changed


def _steps(
    known: Mapping[str, AlertRecord],
    wanted: Mapping[str, Condition],
    reading: Reading,
    options: AlertOptions,
) -> dict[str, AlertStep]:
    """What to do with each key."""
    times = holds(options)
    found = {}
    for key in (*known, *(each for each in wanted if each not in known)):
        kind = wanted[key].kind if key in wanted else known[key].kind
        step = next_step(
            known.get(key),
            is_on=key in wanted,
            now=reading.at,
            hold_s=times.get(AlertKind(kind), 0.0) if kind in set(AlertKind) else 0.0,
            close_after_s=options.close_after_s,
        )
        if step is not None:
            found[key] = step
    return found


async def _take(
    db: asyncpg.Connection,
    steps: Mapping[str, AlertStep],
    known: Mapping[str, AlertRecord],
    wanted: Mapping[str, Condition],
) -> list[Alert]:
    """Take the steps; returns the alerts that this process opened and closed."""
    changed: list[Alert | None] = []
    for key, step in steps.items():
        match step:
            case AlertStep.HOLD:
                await _STORE.hold(db, wanted[key])
            case AlertStep.OPEN:
                changed.append(await _STORE.open(db, wanted[key]))
            case AlertStep.CLOSE:
                changed.append(await _STORE.close(db, known[key].alert_id))
            case AlertStep.FORGET | AlertStep.SEE | AlertStep.END:
                pass  # all of them together
    await _STORE.forget_held(db, _ids(AlertStep.FORGET, steps, known))
    await _STORE.end_conditions(db, _ids(AlertStep.END, steps, known))
    seen = {known[key].alert_id: wanted[key] for key, step in steps.items() if step is AlertStep.SEE}
    await _STORE.see(db, seen)
    return [alert for alert in changed if alert is not None]


def _ids(wanted: AlertStep, steps: Mapping[str, AlertStep], known: Mapping[str, AlertRecord]) -> list[int]:
    return [known[key].alert_id for key, step in steps.items() if step is wanted]
