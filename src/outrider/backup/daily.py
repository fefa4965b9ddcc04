"""The daily backup, which the leading scheduler writes (LIF-09)."""

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from outrider.backup.files import BackupFolder
from outrider.backup.options import BackupOptions
from outrider.backup.policy import next_backup_at
from outrider.backup.task import back_up, backup_work, read_history
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Conflict
from outrider.maintenance.leader_plan import Fence
from outrider.periodic_tasks import PeriodicTask

LOOK_S = 60.0
REQUESTED_BY = "schedule"


def daily_backup(
    connection: ReconnectingConnection, dsn: str, folder: Path, options: BackupOptions, fence: Fence
) -> PeriodicTask:
    """The task of the leader: every minute it looks whether a backup is due. It holds up no other task."""

    async def write_if_due() -> None:
        history = await connection.run(read_history)
        if datetime.now(UTC) < next_backup_at(history, options.at):
            return
        await connection.run(fence)
        # A failure is in the log and in the history of maintenance, and is tried again after a pause.
        with suppress(Conflict):
            await back_up(connection, REQUESTED_BY, backup_work(dsn, BackupFolder(folder), options))

    return PeriodicTask("back up", LOOK_S, write_if_due, runs_beside=True)
