"""Users: added, listed, changed, and one enabled administrator is always left."""

import asyncio
from contextlib import suppress

import asyncpg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.auth import OPERATOR, AuthServer
from tests.support.coordination import PATIENCE_S

from outrider.auth import users
from outrider.auth.model import Role
from outrider.errors import Conflict, InvalidInput, NotFound
from outrider.services.paging import PageRequest
from outrider.services.users.changes import change_role, disable_user, enable_user, remove_user
from outrider.services.users.users import add_user, list_users, show_user

ADMINS = "SELECT count(*) FROM app_user WHERE role = 'admin' AND disabled_at IS NULL"


async def test_a_user_is_added_once_whatever_the_case(db: asyncpg.Connection, server: AuthServer):
    passwords = server.tools.passwords
    added = await add_user(db, OPERATOR, "Ann", "correct horse", Role.USER, passwords)

    assert (added.name, added.role, added.enabled) == ("Ann", Role.USER, True)
    for name in ("Ann", "ANN", "ann"):
        with pytest.raises(Conflict, match="already"):
            await add_user(db, OPERATOR, name, "correct horse", Role.USER, passwords)
    assert (await show_user(db, "aNN")).id == added.id
    assert (await show_user(db, str(added.id))).name == "Ann"
    stored = await db.fetchval("SELECT password_hash FROM app_user")
    assert stored.startswith("$argon2id$")


async def test_a_bad_user_is_refused_before_anything_is_written(db: asyncpg.Connection, server: AuthServer):
    for name, password, role in (
        ("a b", "correct horse", Role.USER),
        ("ann", "short", Role.USER),
        ("ann", "correct horse", Role.SERVICE),
    ):
        with pytest.raises(InvalidInput):
            await add_user(db, OPERATOR, name, password, role, server.tools.passwords)
    assert await db.fetchval("SELECT count(*) FROM app_user") == 0
    assert await db.fetchval("SELECT count(*) FROM audit") == 0


async def test_users_are_listed_by_name_in_pages(db: asyncpg.Connection, server: AuthServer):
    for name in ("cid", "Bob", "ann", "Bobby"):
        await server.user(db, name)

    first = await list_users(db, PageRequest(2))
    rest = await list_users(db, PageRequest(2, 2))
    bobs = await list_users(db, PageRequest(), "BOB")

    assert [user.name for user in (*first.items, *rest.items)] == ["ann", "Bob", "Bobby", "cid"]
    assert first.total == 4
    assert [user.name for user in bobs.items] == ["Bob", "Bobby"]
    assert bobs.total == 2


async def test_an_unknown_user_is_not_found(db: asyncpg.Connection):
    for named in ("ann", "7", "9" * 30, "", "\x00", "\ud800", "²"):
        with pytest.raises(NotFound):
            await disable_user(db, OPERATOR, named)


async def test_the_last_enabled_administrator_stays(db: asyncpg.Connection, server: AuthServer):
    await server.user(db, "root", Role.ADMIN)
    await server.user(db, "ann")
    await server.user(db, "old", Role.ADMIN)
    await disable_user(db, OPERATOR, "old")

    for attempt in (
        lambda: disable_user(db, OPERATOR, "root"),
        lambda: remove_user(db, OPERATOR, "root"),
        lambda: change_role(db, OPERATOR, "root", Role.USER),
    ):
        with pytest.raises(Conflict, match="last enabled administrator"):
            await attempt()
    await remove_user(db, OPERATOR, "old")
    await remove_user(db, OPERATOR, "ann")
    assert (await show_user(db, "root")).role is Role.ADMIN


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda db, name: disable_user(db, OPERATOR, name), id="disable"),
        pytest.param(lambda db, name: remove_user(db, OPERATOR, name), id="remove"),
        pytest.param(lambda db, name: change_role(db, OPERATOR, name, Role.USER), id="demote"),
    ],
)
async def test_of_two_changes_at_once_the_second_sees_the_first(
    pool: asyncpg.Pool, server: AuthServer, change
):
    async with pool.acquire() as first, pool.acquire() as second, pool.acquire() as third:
        await server.user(third, "ann", Role.ADMIN)
        await server.user(third, "bob", Role.ADMIN)
        transaction = first.transaction()
        await transaction.start()
        await change(first, "ann")
        other = asyncio.create_task(change(second, "bob"))
        await _wait_for_lock(third)

        await transaction.commit()

        with pytest.raises(Conflict, match="last enabled administrator"):
            await other
        assert await third.fetchval(ADMINS) == 1


async def test_many_changes_at_once_leave_an_administrator(pool: asyncpg.Pool, server: AuthServer):
    async with pool.acquire() as db:
        for number in range(6):
            await server.user(db, f"admin{number}", Role.ADMIN)

    async def disable(number: int) -> None:
        async with pool.acquire() as db:
            await disable_user(db, OPERATOR, f"admin{number}")

    results = await asyncio.gather(*map(disable, range(6)), return_exceptions=True)

    assert [type(result) for result in results].count(Conflict) == 1
    assert [result for result in results if result is not None and not isinstance(result, Conflict)] == []
    assert await pool.fetchval(ADMINS) == 1


async def _wait_for_lock(db: asyncpg.Connection) -> None:
    here = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    waiting = f"{here} AND wait_event_type = 'Lock'"
    async with asyncio.timeout(PATIENCE_S):
        while not await db.fetchval(waiting):  # noqa: ASYNC110
            await asyncio.sleep(0.01)


NAMES = ("ann", "bob", "cid")
OPERATIONS = st.lists(
    st.tuples(
        st.sampled_from(["add_user", "add_admin", "disable", "enable", "promote", "demote", "remove"]),
        st.sampled_from(NAMES),
    ),
    max_size=25,
)


async def _operate(db: asyncpg.Connection, what: str, name: str, stored: str) -> None:
    match what:
        case "add_user":
            await users.add_user(db, name, stored, Role.USER)
        case "add_admin":
            await users.add_user(db, name, stored, Role.ADMIN)
        case "disable":
            await disable_user(db, OPERATOR, name)
        case "enable":
            await enable_user(db, OPERATOR, name)
        case "promote":
            await change_role(db, OPERATOR, name, Role.ADMIN)
        case "demote":
            await change_role(db, OPERATOR, name, Role.USER)
        case "remove":
            await remove_user(db, OPERATOR, name)


@given(operations=OPERATIONS)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_any_sequence_of_changes_keeps_an_enabled_administrator(
    database: str, operations: list[tuple[str, str]]
):
    async def run() -> None:
        db = await asyncpg.connect(database)
        try:
            await db.execute("TRUNCATE app_user CASCADE")
            stored = await AuthServer().tools.passwords.hash("correct horse")
            await users.add_user(db, "root", stored, Role.ADMIN)
            generations: dict[str, int] = {}
            for what, name in operations:
                refused = False
                try:
                    await _operate(db, what, name, stored)
                except (Conflict, NotFound):
                    refused = True
                assert await db.fetchval(ADMINS) >= 1, (what, name)
                rows = await db.fetch("SELECT name, generation FROM app_user")
                for row in rows:
                    assert row["generation"] >= generations.get(row["name"], 0) or what.startswith("add")
                generations = {row["name"]: row["generation"] for row in rows}
                assert refused or what != "remove" or name not in generations
            for name in ("root", *NAMES):  # the operator tries everything in the end
                for what in ("disable", "demote", "remove"):
                    with suppress(Conflict, NotFound):
                        await _operate(db, what, name, stored)
            assert await db.fetchval(ADMINS) == 1
        finally:
            await db.close()

    asyncio.run(run())
