"""Periodic tasks of a worker: archive the logs of ended runs, and delete old archives."""

from outrider.db.reconnecting import ReconnectingConnection
from outrider.object_store.model import ObjectStore
from outrider.periodic_tasks import PeriodicTask
from outrider.run_logs.archive import CopyLines, archive_ended, forget_old_archives
from outrider.run_logs.options import RunLogOptions

ARCHIVE_S = 15.0
FORGET_S = 3_600.0


def run_log_tasks(
    connection: ReconnectingConnection,
    objects: ObjectStore,
    options: RunLogOptions,
    copy: CopyLines | None = None,
) -> list[PeriodicTask]:
    """Safe in several workers at once."""
    return [
        PeriodicTask(
            "archive the logs of runs", ARCHIVE_S, lambda: archive_ended(connection, objects, copy=copy)
        ),
        PeriodicTask(
            "delete old logs of runs",
            FORGET_S,
            lambda: forget_old_archives(connection, objects, options.kept_days),
        ),
    ]
