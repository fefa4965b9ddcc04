"""The archive of logs on a real S3 server: the same as on files, for every machine."""

import gzip
import json
from dataclasses import replace

import pytest
from tests.support.s3_server import BUCKET

from outrider.db.options import DatabaseOptions
from outrider.log_archive import log_archive_of
from outrider.object_store.s3_store import S3Store
from outrider.run_logs.archive import archive_ended, finish_log, forget_old_archives
from outrider.run_logs.model import LineLevel, LogCategory
from outrider.run_logs.options import RunLogOptions
from outrider.run_logs.reader import RunLogReader
from outrider.runs.model import StartedBy
from outrider.runs.store import RunStore
from outrider.services.runs.logs import LogRequest, show_log
from outrider.settings import Settings


@pytest.fixture
def settings(s3, tmp_path):
    """Those of a machine whose archive is on S3."""
    database = DatabaseOptions(data_dir=tmp_path / "data")
    return Settings(database=database, run_logs=RunLogOptions(bucket=BUCKET), s3=s3.options())


@pytest.fixture
async def ended(make_run, make_writer, end_run, db):
    """The seventh run of a job, with some lines; it has ended."""
    source_id = (await make_run()).source_id
    job_id = await db.fetchval("INSERT INTO job (source_id) VALUES ($1) RETURNING job_id", source_id)
    run = await RunStore().open_for_job(db, source_id, job_id, 7, StartedBy.OPERATOR)
    writer = make_writer()
    for number in range(5):
        writer.write(run.run_id, LineLevel.INFO, LogCategory.FETCH, f"{number}", {"n": number})
    await writer.write_all()
    return await end_run(run)


async def messages(settings, dsn, run):
    shown = show_log(settings, dsn, str(run.run_id), LogRequest())
    return [line.message async for batch in shown for line in batch.lines]


async def test_a_log_on_s3_has_its_key_and_every_machine_reads_it(
    connection, settings, ended, db, database, tmp_path
):
    before = await messages(settings, database, ended)
    assert await finish_log(connection, log_archive_of(settings), ended.run_id)

    elsewhere = replace(settings, database=DatabaseOptions(data_dir=tmp_path / "elsewhere"))
    after = await messages(elsewhere, database, ended)
    public_id = await db.fetchval("SELECT public_id FROM job")
    shown = await db.fetchrow("SELECT * FROM job_executions WHERE id = $1", ended.public_id)
    assert shown["log_object_key"] == f"logs/{public_id}/7.log.gz"
    with log_archive_of(settings).open(shown["log_object_key"]) as file:
        stored = file.read()
    lines = [json.loads(line) for line in gzip.decompress(stored).splitlines()]
    assert (shown["log_size_bytes"], shown["log_line_count"]) == (len(stored), len(lines))
    assert [line["message"] for line in lines] == after
    assert after[:-1] == before == ["run started", *"01234"]
    assert await db.fetchval("SELECT count(*) FROM run_log") == 0
    assert not (tmp_path / "data").exists(), "nothing is left on this machine"


async def test_a_server_that_is_away_changes_neither_the_run_nor_its_lines(
    connection, s3, settings, ended, db, database
):
    refused = S3Store(s3.options(secret_key="another secret"), BUCKET, retries=0)
    before = await messages(settings, database, ended)

    assert await archive_ended(connection, refused, ended_s=0) == 0

    run = await RunStore().by_id(db, ended.run_id)
    assert (run.status, run.error_message, run.log_object_key) == (ended.status, None, None)
    assert (await messages(settings, database, ended))[:-1] == before
    assert await archive_ended(connection, log_archive_of(settings), ended_s=0) == 1, "the next pass succeeds"
    assert (await messages(settings, database, ended))[:-1] == before


async def test_an_old_log_on_s3_is_deleted(connection, settings, ended, db):
    objects = log_archive_of(settings)
    await finish_log(connection, objects, ended.run_id)
    key = (await RunStore().by_id(db, ended.run_id)).log_object_key
    await db.execute(
        "UPDATE run SET completed_at = now() - interval '31 days', started_at = now() - interval '32 days'"
        " WHERE status <> 'running'"
    )

    assert await forget_old_archives(connection, objects, 30) == 1

    assert objects.open(key) is None
    batch = await RunLogReader(connection, objects).read(ended.run_id, None)
    assert (batch.is_kept, batch.is_ended) == (False, True)
