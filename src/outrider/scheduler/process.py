"""The scheduler as a child process, stopped by SIGTERM."""

import asyncio
import signal

from outrider.scheduler.loop import run_scheduler
from outrider.settings import Settings
from outrider.supervision.child import SupervisorLink, run_child, stop_without_parent


def main(settings: Settings, dsn: str, supervisor: SupervisorLink) -> None:
    """Entry point of the child process."""
    run_child(
        lambda: _run(settings, dsn, supervisor), "scheduler", settings.logs, settings.database, supervisor
    )


async def _run(settings: Settings, dsn: str, supervisor: SupervisorLink) -> None:
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    watching = asyncio.create_task(stop_without_parent(supervisor, stop.set))
    supervisor.report_ready()
    try:
        await run_scheduler(settings, dsn, stop)
    finally:
        watching.cancel()
