"""A restore replaces a database by exactly what was backed up, or changes nothing."""

import asyncio
import json
from dataclasses import replace

import asyncpg
import pytest
from tests.support.backups import backup_of, beside, connection_to, execute, restore, value
from tests.support.make import Operator

from outrider.backup.connections import connected_beside
from outrider.backup.databases import kept_databases
from outrider.db import migrate
from outrider.db.migrations import KNOWN
from outrider.errors import Conflict, InvalidInput, NotFound, Unavailable
from outrider.services.operations.backups import check_schema, run_recovery_test
from outrider.services.operations.restore import (
    check_backup,
    drop_replaced,
    look_at_present,
    restore_backup,
    undo_restore,
)
from outrider.settings import Settings

URLS = "SELECT count(*) FROM url"
ADD = """
  INSERT INTO url (host_id, url_hash, url)
  SELECT 1, md5(n::text)::uuid, 'https://x.test/' || n FROM generate_series({}, {}) n
"""


async def databases_of(dsn: str) -> set[str]:
    """The databases that belong to one, without it."""
    name = await value(dsn, "SELECT current_database()")
    async with connected_beside(dsn) as db:
        rows = await db.fetch("SELECT datname FROM pg_database WHERE datname LIKE $1 || '\\_%'", name)
    return {row["datname"].removeprefix(name) for row in rows}


async def test_a_restored_database_has_what_was_backed_up_and_the_replaced_one_is_kept(dsn, tmp_path):
    await execute(dsn, ADD.format(1, 7))
    backup = await backup_of(dsn, tmp_path)
    await execute(dsn, ADD.format(8, 9), "DELETE FROM url WHERE url LIKE '%/1'")

    done = await restore(dsn, backup)

    assert await value(dsn, URLS) == done.urls == 7
    assert done.rows == sum(backup.manifest.rows.values())
    [kept] = await kept_databases(dsn, await value(dsn, "SELECT current_database()"))
    assert kept == done.kept_as
    undone = await undo_restore(dsn, await look_at_present(dsn), {})
    assert await value(dsn, URLS) == undone.urls == 8
    assert len(await drop_replaced(dsn)) == 1
    assert await databases_of(dsn) == set()
    with pytest.raises(NotFound, match="no database is kept"):
        await undo_restore(dsn, await look_at_present(dsn), {})


async def test_a_restored_database_sorts_and_plans_as_the_replaced_one_did(dsn, tmp_path):
    facts = """
      SELECT (to_jsonb(d) - 'oid' - 'datname' - 'datfrozenxid' - 'datminmxid' - 'datdba')::text
        FROM pg_database d WHERE datname = current_database()
    """
    statistics = "SELECT reltuples FROM pg_class WHERE relname = 'url'"
    await execute(dsn, ADD.format(1, 7))
    before = json.loads(await value(dsn, facts))
    backup = await backup_of(dsn, tmp_path)

    await restore(dsn, backup)

    assert json.loads(await value(dsn, facts)) == before
    assert await value(dsn, statistics) == 7


async def test_a_database_in_use_is_not_replaced_and_the_program_is_named(dsn, tmp_path):
    backup = await backup_of(dsn, tmp_path)
    worker = await asyncpg.connect(dsn, server_settings={"application_name": "outrider worker 7"})
    try:
        with pytest.raises(Conflict, match=r"in use: outrider worker 7 \(1 session\).*--force"):
            await restore(dsn, backup)

        assert await worker.fetchval("SELECT 1") == 1
    finally:
        await worker.close()
    assert await databases_of(dsn) == set()


async def test_a_forced_restore_ends_the_sessions_of_programs_that_come_back(dsn, tmp_path):
    await execute(dsn, ADD.format(1, 7))
    backup = await backup_of(dsn, tmp_path)
    await execute(dsn, ADD.format(8, 9))
    operator = await Operator.enter(dsn)
    asking = asyncio.create_task(_ask_for_ever(operator))
    try:
        await restore(dsn, backup, force=True)

        async with asyncio.timeout(20):
            found = await operator.connection.run(lambda db: db.fetchval(URLS), patience_s=20)
    finally:
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        await operator.connection.close()

    assert found == 7


async def _ask_for_ever(operator: Operator) -> None:
    while True:
        await operator.connection.run(lambda db: db.fetchval(URLS), patience_s=30)


async def test_a_program_that_connects_during_a_restore_keeps_the_present_database(dsn, tmp_path):
    backup = await backup_of(dsn, tmp_path)
    present = await look_at_present(dsn)
    await execute(dsn, ADD.format(1, 2))
    late = await asyncpg.connect(dsn)
    try:
        with pytest.raises(Unavailable, match="so nothing was replaced"):
            await restore_backup(dsn, present, backup, {})
    finally:
        await late.close()

    assert await value(dsn, URLS) == 2
    assert await databases_of(dsn) == set()


async def test_rows_that_are_not_those_of_the_manifest_stop_a_restore(dsn, tmp_path):
    await execute(dsn, ADD.format(1, 7))
    backup = await backup_of(dsn, tmp_path)
    wrong = replace(backup.manifest, rows={**backup.manifest.rows, "url": 8})

    with pytest.raises(Conflict, match="url has 7 rows and the backup had 8"):
        await restore(dsn, replace(backup, manifest=wrong))
    with pytest.raises(Conflict, match="url has 7 rows and the backup had 8"):
        await run_recovery_test(dsn, replace(backup, manifest=wrong), {})

    assert await databases_of(dsn) == set()


async def test_a_damaged_backup_is_refused_before_anything_is_created(dsn, tmp_path):
    backup = await backup_of(dsn, tmp_path)
    backup.dump.write_bytes(backup.dump.read_bytes()[:-100])

    with pytest.raises(InvalidInput, match="cannot be restored: the dump has"):
        await check_backup(backup, Settings())
    with pytest.raises(Unavailable, match="pg_restore failed"):
        await restore(dsn, replace(backup, manifest=None))

    assert await databases_of(dsn) == set()


async def test_a_backup_without_its_manifest_is_restored_and_says_that_nothing_was_compared(dsn, tmp_path):
    await execute(dsn, ADD.format(1, 7))
    backup = await backup_of(dsn, tmp_path)
    await execute(dsn, ADD.format(8, 9))

    done = await restore(dsn, replace(backup, manifest=None))

    assert (done.urls, done.rows) == (7, None)


async def test_a_backup_of_an_older_outrider_is_migrated(dsn, empty_database, tmp_path):
    newest = max(migration.version for migration in KNOWN)
    async with connection_to(empty_database) as db:
        await migrate.up(db, to=newest - 1)
    backup = await backup_of(empty_database, tmp_path)

    done = await restore(dsn, backup)

    assert backup.manifest.schema == newest - 1
    assert done.migrations == 1
    async with connection_to(dsn) as db:
        assert (await migrate.status(db)).is_current


async def test_a_backup_of_a_newer_outrider_is_refused_with_what_to_do(dsn, tmp_path):
    backup = await backup_of(dsn, tmp_path)
    newer = replace(backup.manifest, schema=backup.manifest.schema + 1, outrider="99.0")

    with pytest.raises(InvalidInput, match=r"by Outrider 99\.0 with schema .*upgrade Outrider first"):
        check_schema(replace(backup, manifest=newer))


async def test_what_a_killed_restore_left_is_replaced_by_the_next_one(dsn, tmp_path):
    await execute(dsn, ADD.format(1, 7))
    backup = await backup_of(dsn, tmp_path)
    left = (await beside(dsn, "restoring")).rpartition("/")[2].partition("?")[0]
    async with connected_beside(dsn) as server:
        await server.execute(f'CREATE DATABASE "{left}" TEMPLATE template0')

    done = await restore(dsn, backup)

    assert done.urls == 7
    assert "_restoring" not in await databases_of(dsn)


async def test_a_recovery_test_compares_a_scratch_database_and_drops_it(dsn, tmp_path):
    await execute(dsn, ADD.format(1, 7))
    backup = await backup_of(dsn, tmp_path)
    await execute(dsn, ADD.format(8, 9))

    found = await run_recovery_test(dsn, backup, {})

    assert (found.urls, found.rows) == (7, sum(backup.manifest.rows.values()))
    assert await databases_of(dsn) == set()
    assert await value(dsn, URLS) == 9


async def test_an_empty_database_is_filled_and_not_kept(dsn, empty_database, tmp_path):
    await execute(dsn, ADD.format(1, 7))
    backup = await backup_of(dsn, tmp_path)

    done = await restore(empty_database, backup)

    assert (done.kept_as, await value(empty_database, URLS)) == (None, 7)
    assert await databases_of(empty_database) == set()


async def test_a_database_that_was_never_used_is_unused_and_one_with_a_site_is_not(dsn):
    assert (await look_at_present(dsn)).is_empty
    await execute(dsn, "INSERT INTO site (name, base_url, hosts) VALUES ('s', 'https://s.test/', '{s.test}')")
    assert not (await look_at_present(dsn)).is_empty
