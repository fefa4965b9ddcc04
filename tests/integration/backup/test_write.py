"""A backup is one state of a database that is written to meanwhile, and it is verified."""

import asyncio
import os
import threading
from pathlib import Path

import pytest
from tests.support.backups import backup_of, connection_to, execute, value
from tests.support.event_log import settle, subjects, write

from outrider.backup import write as writing
from outrider.backup.files import BackupFolder, NewBackup
from outrider.backup.options import BackupOptions
from outrider.backup.task import back_up, backup_work, read_history
from outrider.backup.verify import problem_of
from outrider.backup.write import write_backup
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Conflict, Unavailable
from outrider.events.log import read_events
from outrider.maintenance.store import MaintenanceStore

URLS = """
  INSERT INTO url (host_id, url_hash, url)
  SELECT 1, md5(n::text)::uuid, 'https://x.test/' || n FROM generate_series({}, {}) n
"""
# More than a pipe holds, so that pg_dump waits for its reader.
TEXTS = """
  INSERT INTO document_text (text_id, part, bytes)
  SELECT n, 0, (SELECT string_agg(sha512((n || '.' || i)::bytea), '') FROM generate_series(1, 100) i)
    FROM generate_series(1, 100) n
"""
DUMPS = """
  SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'pg_dump'
"""


class HeldDump:
    """Stops a dump at its first byte, with its snapshot taken and its tables locked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._began, self._goes_on = threading.Event(), threading.Event()
        write_piece = NewBackup.write

        def held(new: NewBackup, piece: bytes) -> None:
            self._began.set()
            assert self._goes_on.wait(30)
            write_piece(new, piece)

        monkeypatch.setattr(NewBackup, "write", held)

    async def begun(self) -> None:
        assert await asyncio.to_thread(self._began.wait, 30)

    def release(self) -> None:
        self._goes_on.set()


async def test_the_rows_of_the_manifest_are_those_of_the_dump_whatever_is_written_meanwhile(
    dsn, tmp_path, monkeypatch
):
    await execute(dsn, URLS.format(1, 40))
    held = HeldDump(monkeypatch)
    running = asyncio.create_task(backup_of(dsn, tmp_path))
    await held.begun()
    await execute(dsn, URLS.format(41, 60))
    held.release()

    backup = await running

    assert backup.manifest.rows["url"] == 40
    assert backup.manifest.schema == await value(dsn, "SELECT max(version) FROM schema_migration")
    assert backup.manifest.bytes == backup.dump.stat().st_size
    assert backup.manifest.is_good


async def test_readers_of_events_do_not_stand_still_during_a_dump(dsn, tmp_path, monkeypatch):
    await execute(dsn, TEXTS)
    held = HeldDump(monkeypatch)
    running = asyncio.create_task(backup_of(dsn, tmp_path))
    await held.begun()
    try:
        async with connection_to(dsn) as db:
            await write(db, "meanwhile")
            async with asyncio.timeout(20):
                await settle(db)
            batch, dumps = await read_events(db, None), await db.fetchval(DUMPS)
    finally:
        held.release()
        await running

    assert (subjects(batch.events), dumps) == (["meanwhile"], 1)


@pytest.mark.parametrize("kept", [0, 100, -1])
async def test_a_truncated_dump_is_damaged_with_and_without_its_manifest(dsn, tmp_path, kept):
    backup = await backup_of(dsn, tmp_path)
    whole = backup.dump.read_bytes()
    backup.dump.write_bytes(whole[:kept])

    assert "bytes" in await problem_of(backup)
    assert "pg_restore failed" in await problem_of(type(backup)(backup.dump, None))


async def test_one_changed_byte_is_found_by_the_checksum(dsn, tmp_path):
    backup = await backup_of(dsn, tmp_path)
    with backup.dump.open("r+b") as file:
        file.seek(-20, os.SEEK_END)
        byte = file.read(1)
        file.seek(-20, os.SEEK_END)
        file.write(bytes([byte[0] ^ 1]))

    assert await problem_of(backup) == "the checksum of the dump is not that of the manifest"


async def test_a_failed_verification_is_recorded_and_the_backup_does_not_count_as_good(
    dsn, tmp_path, monkeypatch
):
    # A disk that loses the end of what is written to it.
    sync = NewBackup.sync

    def lossy(new: NewBackup) -> str:
        checksum = sync(new)
        os.truncate(new.partial, new.bytes - 10)
        return checksum

    monkeypatch.setattr(NewBackup, "sync", lossy)
    folder, connection = BackupFolder(tmp_path), ReconnectingConnection(dsn, application_name="tests")
    try:
        with pytest.raises(Unavailable, match=r"the verification of outrider-.* failed: the dump has"):
            await back_up(connection, "tests", backup_work(dsn, folder, BackupOptions()))
        history = await connection.run(read_history)
        [record] = await connection.run(lambda db: MaintenanceStore().history(db, 5))
    finally:
        await connection.close()

    [kept] = folder.backups()
    assert not kept.manifest.is_good
    assert (record.state, record.result["verified"]) == ("failed", False)
    assert "verification" in history.error
    assert history.good_at is None


async def test_a_cancelled_backup_leaves_no_file_and_no_program_and_is_recorded(dsn, tmp_path, monkeypatch):
    await execute(dsn, TEXTS)
    held = HeldDump(monkeypatch)
    connection = ReconnectingConnection(dsn, application_name="tests")
    work = backup_work(dsn, BackupFolder(tmp_path), BackupOptions())
    running = asyncio.create_task(back_up(connection, "tests", work))
    await held.begun()

    running.cancel()
    held.release()
    with pytest.raises(asyncio.CancelledError):
        await running

    [record] = await connection.run(lambda db: MaintenanceStore().history(db, 5))
    await connection.close()
    assert list(tmp_path.iterdir()) == []
    assert record.error == "it was stopped before its end"
    async with asyncio.timeout(20):
        while await value(dsn, DUMPS):  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def test_two_backups_of_one_database_are_not_written_at_once(dsn, tmp_path, monkeypatch):
    held = HeldDump(monkeypatch)
    connection = ReconnectingConnection(dsn, application_name="tests")
    work = backup_work(dsn, BackupFolder(tmp_path), BackupOptions())
    running = asyncio.create_task(back_up(connection, "tests", work))
    await held.begun()
    try:
        with pytest.raises(Conflict, match="running already"):
            await back_up(connection, "others", work)
    finally:
        held.release()
        await running
        await connection.close()


async def test_a_disk_without_room_is_refused_before_anything_is_written(dsn, tmp_path, monkeypatch):
    free = os.statvfs(tmp_path).f_bavail * os.statvfs(tmp_path).f_frsize
    monkeypatch.setattr(writing, "SPARE_BYTES", 2 * free)

    with pytest.raises(
        Unavailable, match="free some space, or choose another folder with OUTRIDER_BACKUP_DIR"
    ):
        await backup_of(dsn, tmp_path)

    assert list(tmp_path.iterdir()) == []


async def test_a_password_is_in_no_argument_of_a_program(dsn, tmp_path, monkeypatch):
    name = await value(dsn, "SELECT current_database()")
    await execute(dsn, TEXTS, f"CREATE ROLE {name}_user SUPERUSER LOGIN PASSWORD 's3cret'")
    with_password = dsn.replace("//outrider@", f"//{name}_user:s3cret@")
    seen: list[bytes] = []
    write_piece = NewBackup.write

    def look(new: NewBackup, piece: bytes) -> None:
        seen.extend(file.read_bytes() for file in Path("/proc").glob("[0-9]*/cmdline") if _is_ours(file))
        write_piece(new, piece)

    monkeypatch.setattr(NewBackup, "write", look)
    try:
        await write_backup(with_password, BackupFolder(tmp_path), BackupOptions(), {})
    finally:
        await execute(dsn, f"DROP ROLE {name}_user")

    dumps = [line for line in seen if b"pg_dump" in line]
    assert dumps
    assert not any(b"s3cret" in line for line in dumps)


def _is_ours(cmdline: Path) -> bool:
    try:
        return f"PPid:\t{os.getpid()}\n" in (cmdline.parent / "status").read_text()
    except OSError:
        return False


async def test_old_backups_go_when_a_new_one_is_good(dsn, tmp_path):
    first = await backup_of(dsn, tmp_path)
    old = first.manifest.as_text().replace(f"{first.manifest.created_at:%Y-}", "2020-")
    first.dump.with_suffix(".json").write_text(old)

    second = await backup_of(dsn, tmp_path, kept_days=1)

    assert BackupFolder(tmp_path).backups() == [second]
