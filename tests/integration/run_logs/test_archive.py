"""The log of an ended run moves to a compressed file, with the same positions, and never fails the run."""

import gzip
import json

import pytest

from outrider.object_store.file_store import FileStore
from outrider.run_logs.archive import archive_ended, archive_key, finish_log, forget_old_archives
from outrider.run_logs.model import LineLevel, LogCategory
from outrider.run_logs.position import LogPosition
from outrider.run_logs.store import RunLogStore
from outrider.runs.model import StartedBy
from outrider.runs.store import RunStore


@pytest.fixture
async def ended(run, make_writer, end_run):
    """A run with some lines that has ended."""
    writer = make_writer()
    for number in range(5):
        writer.write(run.run_id, LineLevel.INFO, LogCategory.FETCH, f"{number}", {"n": number})
    await writer.write_all()
    return await end_run(run)


async def run_now(connection, run):
    return await connection.run(lambda db: RunStore().by_id(db, run.run_id))


async def test_an_ended_log_is_archived_and_described_on_its_run(
    connection, objects, reader, ended, db, tmp_path
):
    before = await reader.read(ended.run_id, None)
    assert await finish_log(connection, objects, ended.run_id)
    after = await reader.read(ended.run_id, None)

    run = await run_now(connection, ended)
    path = tmp_path / "archive" / "logs" / f"crawl-{ended.source_id}" / "1.log.gz"
    lines = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    assert run.log_object_key == f"logs/crawl-{ended.source_id}/1.log.gz"
    assert (run.log_size_bytes, run.log_line_count) == (path.stat().st_size, 7)
    assert [line["message"] for line in lines[:-1]] == ["run started", *"01234"]
    assert {line["execution_id"] for line in lines} == {str(run.public_id)}
    assert set(lines[1]) == {
        *("schema_version", "position", "timestamp", "level", "category", "message", "job_id"),
        *("execution_id", "fields"),
    }
    assert list(after.lines[:-1]) == list(before.lines), "the same lines at the same positions"
    assert await db.fetchval("SELECT count(*) FROM run_log") == 0
    events = await db.fetch("SELECT kind, subject_id, payload FROM event_log WHERE kind = 'log.archived'")
    assert [(row["subject_id"], json.loads(row["payload"])["lines"]) for row in events] == [
        (str(run.public_id), 7)
    ]


async def test_an_archived_log_is_read_from_a_position(connection, objects, reader, ended):
    await finish_log(connection, objects, ended.run_id)

    batch = await reader.read(ended.run_id, LogPosition(ended.run_id, 4))
    last = await reader.replay(ended.run_id, last=2)
    page = await reader.read(ended.run_id, None, most=3)

    assert [line.message for line in batch.lines][:2] == ["3", "4"]
    assert batch.is_ended
    assert [line.position.number for line in last.lines] == [6, 7]
    assert ([line.position.number for line in page.lines], page.is_full) == ([1, 2, 3], True)


async def test_archiving_twice_changes_nothing(connection, objects, ended, db):
    assert await finish_log(connection, objects, ended.run_id)
    assert not await finish_log(connection, objects, ended.run_id)

    assert await db.fetchval("SELECT count(*) FROM event_log WHERE kind = 'log.archived'") == 1


async def test_an_archive_that_cannot_be_written_keeps_the_lines_and_the_run(
    connection, reader, ended, tmp_path, db
):
    (tmp_path / "file").write_text("not a folder")
    assert not await finish_log(connection, FileStore(tmp_path / "file"), ended.run_id)

    run = await run_now(connection, ended)
    assert (run.status, run.log_object_key) == (ended.status, None)
    assert [line.message for line in (await reader.read(ended.run_id, None)).lines][:2] == [
        "run started",
        "0",
    ]

    good = FileStore(tmp_path / "good")
    assert await archive_ended(connection, good, ended_s=0) == 1, "the next pass succeeds"
    assert await archive_ended(connection, good, ended_s=0) == 0


async def test_a_log_is_archived_only_after_late_lines_had_their_time(connection, objects, ended):
    assert await archive_ended(connection, objects, ended_s=3600) == 0


async def test_an_open_run_is_not_archived(connection, objects, run, make_writer):
    writer = make_writer()
    writer.write(run.run_id, LineLevel.INFO, LogCategory.FETCH, "a")
    await writer.write_all()

    assert not await finish_log(connection, objects, run.run_id)
    assert await archive_ended(connection, objects, ended_s=0) == 0


async def test_an_old_archive_is_deleted_and_its_readers_are_told_once(
    connection, objects, reader, ended, db, tmp_path
):
    await finish_log(connection, objects, ended.run_id)
    assert await forget_old_archives(connection, objects, 30) == 0
    await db.execute(
        "UPDATE run SET completed_at = now() - interval '31 days', started_at = now() - interval '32 days'"
    )

    assert await forget_old_archives(connection, objects, 30) == 1
    batch = await reader.read(ended.run_id, LogPosition(ended.run_id, 2))
    end = await reader.read(ended.run_id, batch.position)

    assert list((tmp_path / "archive").rglob("*.gz")) == []
    assert (batch.is_kept, batch.is_ended) == (False, True)
    assert (end.is_kept, list(end.lines), end.is_ended) == (True, [], True)


async def test_runs_of_one_crawl_have_archives_of_their_own(connection, objects, make_run, end_run, db):
    keys = set()
    for _ in range(2):
        run = await make_run()
        await end_run(run)
        await finish_log(connection, objects, run.run_id)
        keys.add(archive_key(await RunLogStore().names(db, run.run_id)))

    assert {key.rpartition("/")[2] for key in keys} == {"1.log.gz", "2.log.gz"}


async def test_the_log_of_a_job_is_named_by_the_job_and_the_number_of_its_execution(
    connection, objects, make_run, end_run, db
):
    source_id = (await make_run()).source_id
    job = await db.fetchrow("INSERT INTO job (source_id) VALUES ($1) RETURNING job_id, public_id", source_id)
    run = await RunStore().open_for_job(db, source_id, job["job_id"], 7, StartedBy.OPERATOR)
    await end_run(run)
    await finish_log(connection, objects, run.run_id)

    shown = await db.fetchrow("SELECT * FROM job_executions WHERE id = $1", run.public_id)
    assert shown["log_object_key"] == f"logs/{job['public_id']}/7.log.gz"
    assert (shown["job_id"], shown["log_line_count"]) == (job["public_id"], 2)


def test_a_key_cannot_leave_the_archive(tmp_path):
    for key in ("../x", "a/../../x", "/etc/passwd", "a//b"):
        with pytest.raises(ValueError, match="not the key"):
            FileStore(tmp_path).open(key)
