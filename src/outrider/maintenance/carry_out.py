"""Carries a recorded task out: renews its record while the work goes on, and writes how it ended."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

import asyncpg

from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import OutriderError
from outrider.logs import get_logger
from outrider.maintenance.model import TaskRecord
from outrider.maintenance.store import MaintenanceStore

log = get_logger()

RENEW_S = 10.0
END_PATIENCE_S = 60.0
STOPPED = "it was stopped before its end"

Work = Callable[[dict[str, Any]], Awaitable[Mapping[str, Any]]]


async def carry_out_task(beats: ReconnectingConnection, record: TaskRecord, work: Work) -> str | None:
    """Do the work of a task and record how it ended; returns the error, None if it succeeded.

    `work` gets a dictionary for its progress, which the record shows meanwhile. `beats` is used for the
    record alone. Raises nothing but a cancellation, which is recorded as a failure.
    """
    progress = dict[str, Any]()
    renewing = asyncio.create_task(_renew(beats, record, progress))
    error: str | None = STOPPED
    try:
        progress |= await work(progress)
        error = None
    except (OutriderError, OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as failure:
        error = str(failure) or type(failure).__name__
    except Exception as failure:
        log.exception("maintenance failed", task=record.task.value)
        error = f"an unexpected error: {type(failure).__name__}"
    finally:
        renewing.cancel()
        with suppress(asyncio.CancelledError):
            await renewing
        # A cancellation must not leave a record that says for a minute that the task runs.
        await asyncio.shield(_end(beats, record, progress, error))
    level = log.info if error is None else log.error
    level("maintenance ended", task=record.task.value, error=error, **progress)
    return error


async def _end(
    beats: ReconnectingConnection, record: TaskRecord, progress: dict[str, Any], error: str | None
) -> None:
    with suppress(OutriderError):
        await beats.run(
            lambda db: MaintenanceStore().end(db, record.task_id, progress, error), patience_s=END_PATIENCE_S
        )


async def _renew(beats: ReconnectingConnection, record: TaskRecord, progress: dict[str, Any]) -> None:
    while True:
        await asyncio.sleep(RENEW_S)
        with suppress(OutriderError):
            await beats.run(lambda db: MaintenanceStore().renew(db, record.task_id, progress))
