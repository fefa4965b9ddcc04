"""The leading scheduler writes a backup every day, beside its other duties (LIF-09)."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from tests.support.backups import execute, value

from outrider.backup.daily import daily_backup
from outrider.backup.files import BackupFolder
from outrider.backup.options import BackupOptions, DailyBackup
from outrider.backup.task import read_history
from outrider.coordination.errors import StaleLeader
from outrider.coordination.terms import Term
from outrider.db.options import DatabaseOptions
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Unavailable
from outrider.maintenance.store import MaintenanceStore
from outrider.scheduler.leader import backup_duty, lead
from outrider.settings import Settings

TWO_DAYS_OLD = "UPDATE schema_migration SET applied_at = now() - interval '2 days'"


@pytest.fixture
async def connection(dsn):
    made = ReconnectingConnection(dsn, application_name="tests")
    yield made
    await made.close()


async def _permit(_) -> None:
    pass


def _task(connection, dsn, folder, **options):
    return daily_backup(connection, dsn, folder, BackupOptions(**options), _permit)


async def test_a_new_installation_does_not_begin_with_a_backup(connection, dsn, tmp_path):
    await _task(connection, dsn, tmp_path).run()

    assert BackupFolder(tmp_path).backups() == []
    assert await connection.run(lambda db: MaintenanceStore().history(db, 5)) == []


async def test_a_missed_backup_is_written_once_and_recorded(connection, dsn, tmp_path):
    await execute(dsn, TWO_DAYS_OLD)
    task = _task(connection, dsn, tmp_path)

    await task.run()
    await task.run()

    [backup] = BackupFolder(tmp_path).backups()
    [record] = await connection.run(lambda db: MaintenanceStore().history(db, 5))
    assert (record.requested_by, record.state) == ("schedule", "completed")
    assert (record.result["name"], record.result["verified"]) == (backup.name, True)
    assert record.result["bytes"] == backup.dump.stat().st_size


async def test_a_failed_backup_is_recorded_and_not_repeated_at_once(connection, dsn, tmp_path):
    await execute(dsn, TWO_DAYS_OLD)
    (tmp_path / "file").write_text("")
    task = _task(connection, dsn, tmp_path / "file")

    with pytest.raises(Unavailable, match="OUTRIDER_BACKUP_DIR"):
        await task.run()
    await task.run()

    [record] = await connection.run(lambda db: MaintenanceStore().history(db, 5))
    assert (record.state, "OUTRIDER_BACKUP_DIR" in record.error) == ("failed", True)
    assert (await connection.run(read_history)).failed_at == record.started_at


async def test_a_process_that_does_not_lead_any_more_writes_no_backup(connection, dsn, tmp_path):
    await execute(dsn, TWO_DAYS_OLD)

    async def refuse(_) -> None:
        raise StaleLeader("term 1 is over")

    task = daily_backup(connection, dsn, tmp_path, BackupOptions(), refuse)
    with pytest.raises(StaleLeader):
        await task.run()

    assert BackupFolder(tmp_path).backups() == []


@pytest.mark.parametrize(
    ("url", "daily", "is_written"),
    [
        (None, DailyBackup.EMBEDDED, True),
        ("postgresql://db.test/crawl", DailyBackup.EMBEDDED, False),
        ("postgresql://db.test/crawl", DailyBackup.ON, True),
        (None, DailyBackup.OFF, False),
    ],
)
def test_only_an_embedded_database_is_backed_up_unless_the_settings_say_otherwise(url, daily, is_written):
    settings = Settings(database=DatabaseOptions(url=url), backup=BackupOptions(daily=daily))
    connection = ReconnectingConnection("postgresql://db.test/crawl", application_name="tests")

    tasks = backup_duty(settings, "postgresql://db.test/crawl", connection, Term("housekeeping", 1))

    assert [task.name for task in tasks] == (["back up"] if is_written else [])
    assert all(task.runs_beside for task in tasks)


def test_no_backup_goes_through_a_pooler():
    settings = Settings(database=DatabaseOptions(through_pooler=True))
    connection = ReconnectingConnection("postgresql://db.test/crawl", application_name="tests")

    assert backup_duty(settings, "", connection, Term("housekeeping", 1)) == []


async def test_the_leader_backs_up_to_the_folder_of_the_settings(dsn, tmp_path):
    await execute(dsn, TWO_DAYS_OLD)
    settings = Settings(
        database=replace(DatabaseOptions(), data_dir=tmp_path),
        backup=BackupOptions(at=(datetime.now(UTC) - timedelta(minutes=5)).time().replace(microsecond=0)),
    )
    leading = asyncio.create_task(lead(settings, dsn))
    try:
        async with asyncio.timeout(30):
            while not await value(dsn, "SELECT count(*) FROM maintenance_task WHERE state = 'completed'"):  # noqa: ASYNC110
                await asyncio.sleep(0.1)
    finally:
        leading.cancel()
        await asyncio.gather(leading, return_exceptions=True)

    assert len(BackupFolder(tmp_path / "backups").backups()) == 1
