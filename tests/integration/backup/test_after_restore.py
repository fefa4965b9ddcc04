"""What was given out after a backup is not mistaken for something of the restored database."""

import pytest
from tests.support.auth import AuthServer
from tests.support.backups import backup_of, connection_to, execute, restore
from tests.support.event_log import settle, subjects, write
from tests.support.make import Operator
from tests.support.scheduling import scheduler, start_runs, watch

from outrider.auth.api_tokens import create_token
from outrider.auth.authenticator import Credentials
from outrider.auth.model import Role
from outrider.backup.task import read_history
from outrider.coordination.terms import Terms, fenced
from outrider.errors import Unauthenticated
from outrider.events.log import current_position, is_kept, read_events
from outrider.maintenance.model import MaintenanceTask
from outrider.maintenance.store import MaintenanceStore
from outrider.services.operations.workers import list_workers
from outrider.services.users.sign_in import SignedIn

FAR_AHEAD = "UPDATE event_log SET xid = (pg_current_xact_id()::text::bigint + 1000000000000)::text::xid8"


async def test_events_of_a_server_with_greater_transaction_numbers_neither_stall_nor_come_twice(
    dsn, tmp_path
):
    async with connection_to(dsn) as db:
        await write(db, "first", "second")
        await db.execute(FAR_AHEAD)
    backup = await backup_of(dsn, tmp_path)

    await restore(dsn, backup)

    async with connection_to(dsn) as db:
        await settle(db)
        old = await read_events(db, None)
        await write(db, "third")
        await settle(db)
        new = await read_events(db, old.position)
    assert subjects(old.events) == ["first", "second"]
    assert subjects(new.events) == ["third"]


async def test_readers_with_a_position_from_before_the_restore_begin_anew(dsn, tmp_path):
    async with connection_to(dsn) as db:
        await write(db, "first")
    backup = await backup_of(dsn, tmp_path)
    async with connection_to(dsn) as db:
        await write(db, "undone")
        await settle(db)
        position = await current_position(db)
        assert await is_kept(db, position)

    await restore(dsn, backup)

    async with connection_to(dsn) as db:
        assert not await is_kept(db, position)
        await settle(db)
        assert await is_kept(db, await current_position(db))


def bearer(signed_in: SignedIn) -> Credentials:
    return Credentials(bearer=signed_in.token)


async def test_sessions_and_jwts_of_before_and_after_the_backup_end(dsn, tmp_path):
    server = AuthServer()
    async with connection_to(dsn) as db:
        ann = await server.user(db, "ann", Role.ADMIN)
        before = await server.sign_in(db, "ann")
    backup = await backup_of(dsn, tmp_path)
    async with connection_to(dsn) as db:
        # Revoked, and signed in again: this JWT has the generation that a restored user would get next.
        await db.execute("UPDATE app_user SET generation = generation + 1")
        after = await server.sign_in(db, "ann")

    await restore(dsn, backup)

    async with connection_to(dsn) as db:
        for signed_in in (before, after):
            for credentials in (Credentials(session=signed_in.session_cookie), bearer(signed_in)):
                with pytest.raises(Unauthenticated):
                    await server.authenticator.principal(db, credentials)
        again = await server.sign_in(db, "ann")
        found = await server.authenticator.principal(db, bearer(again))
    assert (found.user_id, found.role) == (ann.user_id, Role.ADMIN)


async def test_what_was_withdrawn_after_the_backup_stays_withdrawn(dsn, tmp_path):
    server = AuthServer()
    async with connection_to(dsn) as db:
        users = {name: await server.user(db, name, Role.ADMIN) for name in ("ann", "bob", "cleo", "dan")}
        _, kept = await create_token(db, users["ann"], "kept")
        _, revoked = await create_token(db, users["ann"], "revoked")
    backup = await backup_of(dsn, tmp_path)
    new_hash = await server.tools.passwords.hash("a new password, much better")
    async with connection_to(dsn) as db:
        await db.execute("UPDATE api_token SET revoked_at = now() WHERE name = 'revoked'")
        await db.execute("UPDATE app_user SET disabled_at = now() WHERE name = 'bob'")
        await db.execute("DELETE FROM app_user WHERE name = 'cleo'")
        await db.execute("UPDATE app_user SET role = 'user', password_hash = $1 WHERE name = 'dan'", new_hash)

    done = await restore(dsn, backup)

    assert done.withdrawn.disabled_users == ["cleo"]
    assert done.withdrawn.revoked_tokens == ["revoked"]
    async with connection_to(dsn) as db:
        found = await server.authenticator.principal(db, Credentials(bearer=kept))
        with pytest.raises(Unauthenticated):
            await server.authenticator.principal(db, Credentials(bearer=revoked))
        for name in ("bob", "cleo", "dan"):
            with pytest.raises(Unauthenticated):
                await server.sign_in(db, name)
        dan = await server.sign_in(db, "dan", "a new password, much better")
    assert (found.name, dan.user.role) == ("ann", Role.USER)


@pytest.mark.parametrize("keep", [False, True])
async def test_on_a_new_machine_tokens_are_revoked_unless_they_are_to_be_kept(
    dsn, empty_database, tmp_path, keep
):
    server = AuthServer()
    async with connection_to(dsn) as db:
        _, key = await create_token(db, await server.user(db, "ann"), "ci")
        await db.execute(SITE)
    backup = await backup_of(dsn, tmp_path)

    done = await restore(empty_database, backup, keep_tokens=keep)

    async with connection_to(empty_database) as db:
        await server.sign_in(db, "ann")
        try:
            await server.authenticator.principal(db, Credentials(bearer=key))
            is_valid = True
        except Unauthenticated:
            is_valid = False
    assert is_valid is keep
    assert list(done.withdrawn.revoked_tokens) == ([] if keep else ["ci"])
    assert list(done.withdrawn.revoked_site_keys) == ([] if keep else ["shop"])


SITE = """
  INSERT INTO site (name, base_url, hosts, key_hash)
  VALUES ('shop', 'https://shop.test/', '{shop.test}', sha256('old'))
"""


async def test_a_key_of_a_site_that_was_replaced_after_the_backup_is_not_valid_again(dsn, tmp_path):
    await execute(dsn, SITE, SITE.replace("shop", "club").replace("old", "club"))
    backup = await backup_of(dsn, tmp_path)
    await execute(
        dsn,
        "UPDATE site SET key_hash = sha256('new') WHERE name = 'shop'",
        "DELETE FROM site WHERE name = 'club'",
    )

    done = await restore(dsn, backup)

    assert list(done.withdrawn.revoked_site_keys) == ["club"]
    async with connection_to(dsn) as db:
        rows = await db.fetch("SELECT name, key_hash = sha256('new') AS is_new FROM site ORDER BY name")
    assert [tuple(row) for row in rows] == [("club", None), ("shop", True)]


async def test_a_running_execution_is_taken_over_at_once_and_ends(dsn, tmp_path):
    operator = await Operator.enter(dsn)
    await watch(operator, "daily")
    job_id = await operator.run(lambda db: db.fetchval("SELECT job_id FROM job"))
    await start_runs(operator, job_id)
    await operator.connection.close()
    backup = await backup_of(dsn, tmp_path)

    await restore(dsn, backup)

    operator = await Operator.enter(dsn)
    successor = scheduler(operator)
    await successor.register()
    assert await successor.take_over() == 1
    await successor.watch_runs()
    status = await operator.run(lambda db: db.fetchval("SELECT status::text FROM run"))
    await operator.connection.close()
    assert status == "completed"


async def test_a_crawl_goes_on_with_the_urls_that_a_worker_had_when_the_backup_was_written(dsn, tmp_path):
    operator = await Operator.enter(dsn)
    await operator.queue("https://a.test/1", "https://a.test/2", "https://b.test/1")
    leases = await operator.claim()
    await operator.connection.close()
    assert len(leases) == 2
    backup = await backup_of(dsn, tmp_path)

    await restore(dsn, backup)

    operator = await Operator.enter(dsn)
    for host in ("a.test", "b.test"):
        await operator.let_lease_run_out(host)
    claimed = await operator.claim()
    pool = await operator.run(list_workers)
    totals = await operator.totals()
    await operator.connection.close()
    assert {lease.host for lease in claimed} == {"a.test", "b.test"}
    assert totals.pending == 3
    assert (pool.total, pool.live) == (1, 1)


async def test_numbers_of_terms_and_locks_are_not_given_out_again(dsn, tmp_path):
    """Also those of elections and locks that the backup does not know."""
    await execute(dsn, "INSERT INTO leader (name, fence) VALUES ('old', 1)", LOCK.format("old"))
    backup = await backup_of(dsn, tmp_path)
    await execute(dsn, "UPDATE leader SET fence = 3", LOCK.format("new"), URL)
    await execute(dsn, "INSERT INTO leader (name, fence) VALUES ('new', 5)")

    await restore(dsn, backup)

    operator = await Operator.enter(dsn)
    for name, newest in (("old", 3), ("new", 5)):
        terms = Terms(operator.connection, name)
        term = await terms.begin(await terms.latest(), "another")
        await operator.run(lambda db, term=term: fenced(db, term))
        assert term.fence > newest
    locks = await operator.run(
        lambda db: db.fetch(
            "SELECT name, token, fence > 7 AS is_greater, expires_at <= clock_timestamp() AS is_over"
            "  FROM coordination_lock ORDER BY name"
        )
    )
    await operator.connection.close()
    assert [tuple(lock) for lock in locks] == [("new", None, True, True), ("old", None, True, True)]


LOCK = "INSERT INTO coordination_lock VALUES ('{}', 'word', now() + interval '1 day', 7)"
URL = "INSERT INTO url (host_id, url_hash, url) VALUES (1, md5('x')::uuid, 'https://x.test/')"


async def test_readers_of_redirects_read_everything_again(dsn, tmp_path):
    await execute(dsn, SITE, "INSERT INTO site_redirect_table SELECT site_id, 4, 0 FROM site")
    backup = await backup_of(dsn, tmp_path)
    await execute(dsn, "UPDATE site_redirect_table SET version = 9")

    await restore(dsn, backup)

    async with connection_to(dsn) as db:
        row = await db.fetchrow("SELECT version, kept_changes FROM site_redirect_table")
    assert row["version"] == row["kept_changes"] > 9


async def test_the_history_of_maintenance_says_that_the_restored_backup_succeeded(dsn, tmp_path):
    async with connection_to(dsn) as db:
        for task in (MaintenanceTask.BACKUP, MaintenanceTask.VACUUM):
            await MaintenanceStore().begin(db, task, "tests")
    backup = await backup_of(dsn, tmp_path)

    await restore(dsn, backup)

    async with connection_to(dsn) as db:
        history = await read_history(db)
        newest = await MaintenanceStore().newest(db)
    assert (history.good_name, history.good_bytes, history.failed_at) == (
        backup.name,
        backup.manifest.bytes,
        None,
    )
    assert newest[MaintenanceTask.VACUUM].state == "failed"
