"""The first administrator, by a code that works once or by a setting."""

import asyncio
from datetime import UTC, datetime

import asyncpg
import pytest
from tests.support.auth import PASSWORD, AuthServer

from outrider.auth.authenticator import Credentials
from outrider.auth.login import LoginAttempt
from outrider.auth.model import Role
from outrider.auth.options import AuthOptions
from outrider.errors import Conflict, Denied, InvalidInput
from outrider.services.users.sign_in import prepare_first_admin, set_up_first_admin


async def set_up(
    db: asyncpg.Connection, server: AuthServer, code: str, name: str = "ann", password: str = PASSWORD
):
    return await set_up_first_admin(
        db, server.tools, code, LoginAttempt(name, password, "192.0.2.1"), datetime.now(UTC)
    )


async def code_of(db: asyncpg.Connection, server: AuthServer) -> str:
    code = await prepare_first_admin(db, AuthOptions(), server.tools.passwords)
    assert code is not None
    return code


async def test_a_code_creates_the_administrator_and_signs_in(db: asyncpg.Connection, server: AuthServer):
    code = await code_of(db, server)
    assert code not in await db.fetchval("SELECT setup_code::text FROM setup_code")

    signed_in = await set_up(db, server, code)

    found = await server.authenticator.principal(db, Credentials(session=signed_in.session_cookie))
    assert (found.name, found.role) == ("ann", Role.ADMIN)
    assert await prepare_first_admin(db, AuthOptions(), server.tools.passwords) is None
    with pytest.raises((Denied, Conflict)):
        await set_up(db, server, code, "bob")
    assert await db.fetchval("SELECT count(*) FROM setup_code") == 0


async def test_a_wrong_or_old_code_creates_nothing(db: asyncpg.Connection, server: AuthServer):
    code = await code_of(db, server)
    for wrong in ("", "x", code[:-1], code + "x", "x" * 10_000, "\x00\ud800"):
        with pytest.raises(Denied, match="code"):
            await set_up(db, server, wrong)
    await db.execute("UPDATE setup_code SET created_at = now() - interval '25 hours'")
    with pytest.raises(Denied):
        await set_up(db, server, code)
    assert await db.fetchval("SELECT count(*) FROM app_user") == 0


async def test_a_bad_name_or_password_does_not_use_the_code_up(db: asyncpg.Connection, server: AuthServer):
    code = await code_of(db, server)
    for name, password in (("a b", PASSWORD), ("ann", "short")):
        with pytest.raises(InvalidInput):
            await set_up(db, server, code, name, password)

    assert (await set_up(db, server, code)).user.name == "ann"


async def test_of_many_set_ups_at_once_one_succeeds(pool: asyncpg.Pool, server: AuthServer):
    async with pool.acquire() as db:
        codes = [await code_of(db, server) for _ in range(5)]

    async def use(number: int) -> object:
        async with pool.acquire() as db:
            return await set_up(db, server, codes[number], f"user{number}")

    results = await asyncio.gather(*map(use, range(5)), return_exceptions=True)

    assert sum(isinstance(each, Denied | Conflict) for each in results) == 4
    assert await pool.fetchval("SELECT count(*) FROM app_user") == 1


async def test_codes_do_not_pile_up(db: asyncpg.Connection, server: AuthServer):
    newest = [await code_of(db, server) for _ in range(30)][-1]

    assert await db.fetchval("SELECT count(*) FROM setup_code") == 20
    assert (await set_up(db, server, newest)).user.name == "ann"


async def test_a_setting_creates_the_administrator_once(pool: asyncpg.Pool, server: AuthServer):
    options = AuthOptions(admin_password=PASSWORD)

    async def start(_: int) -> str | None:
        async with pool.acquire() as db:
            return await prepare_first_admin(db, options, server.tools.passwords)

    assert await asyncio.gather(*map(start, range(4))) == [None] * 4
    assert await pool.fetch("SELECT name, role FROM app_user") == [("admin", "admin")]
    async with pool.acquire() as db:
        assert (await server.sign_in(db, "admin")).user.role is Role.ADMIN
        await prepare_first_admin(
            db, AuthOptions(admin_name="other", admin_password="another password"), server.tools.passwords
        )
    assert await pool.fetchval("SELECT count(*) FROM app_user") == 1
