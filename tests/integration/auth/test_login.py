"""Logins: right, wrong, repeated, and counted."""

import asyncio

import asyncpg
import pytest
from argon2 import PasswordHasher
from tests.support.auth import OPERATOR, PASSWORD, AuthServer

from outrider.auth.login import LoginAttempt, log_in
from outrider.auth.metrics import LoginOutcome
from outrider.auth.passwords import Passwords
from outrider.auth.throttle import BY_ADDRESS, BY_NAME
from outrider.errors import TooManyRequests, Unauthenticated
from outrider.services.users.changes import disable_user


async def attempt(
    db: asyncpg.Connection,
    server: AuthServer,
    name: str,
    password: str = "wrong password",
    address: str = "192.0.2.1",
):
    return await log_in(db, LoginAttempt(name, password, address), server.tools.passwords, server.metrics)


async def test_the_right_password_signs_in_and_is_recorded(db: asyncpg.Connection, server: AuthServer):
    ann = await server.user(db, "ann")
    assert ann.last_login_at is None

    found = await attempt(db, server, " ann "[1:4].upper(), PASSWORD)

    assert found.user_id == ann.user_id
    assert found.last_login_at is not None


async def test_a_wrong_password_an_unknown_name_and_a_disabled_user_get_the_same_answer(
    db: asyncpg.Connection, server: AuthServer
):
    await server.user(db, "ann")
    await server.user(db, "off")
    await disable_user(db, OPERATOR, "off")
    sentences = set()
    for name, password in (
        ("ann", "wrong password"),
        ("unknown", PASSWORD),
        ("off", PASSWORD),
        ("", ""),
        ("a\x00b", "\x00"),
        ("\ud800", "\ud800" * 20),
        ("x" * 100_000, "y" * 100_000),
    ):
        with pytest.raises(Unauthenticated) as refused:
            await attempt(db, server, name, password)
        sentences.add(str(refused.value))

    assert len(sentences) == 1


async def test_repeated_failures_of_a_name_make_it_wait_longer_and_longer(
    db: asyncpg.Connection, server: AuthServer
):
    await server.user(db, "ann")
    await server.user(db, "bob")
    for number in range(BY_NAME.free + 1):
        with pytest.raises(Unauthenticated):
            await attempt(db, server, "ann", address=f"192.0.2.{number}")

    with pytest.raises(TooManyRequests, match="wait 1 s") as refused:
        await attempt(db, server, "ANN", PASSWORD, "198.51.100.1")
    assert refused.value.retry_after_s == 1
    assert (await attempt(db, server, "bob", PASSWORD, "192.0.2.1")).name == "bob"

    await _let_waits_pass(db)
    with pytest.raises(Unauthenticated):
        await attempt(db, server, "ann")
    with pytest.raises(TooManyRequests) as longer:
        await attempt(db, server, "ann", PASSWORD)
    assert longer.value.retry_after_s == 2

    await _let_waits_pass(db)
    assert (await attempt(db, server, "ann", PASSWORD)).name == "ann"
    with pytest.raises(Unauthenticated):
        await attempt(db, server, "ann")  # a success clears the count
    with pytest.raises(Unauthenticated):
        await attempt(db, server, "ann")


async def test_repeated_failures_from_an_address_make_it_wait(db: asyncpg.Connection, server: AuthServer):
    await server.user(db, "ann")
    for number in range(BY_ADDRESS.free + 1):
        with pytest.raises(Unauthenticated):
            await attempt(db, server, f"guess{number}", address=f"2001:db8::{number:x}")

    with pytest.raises(TooManyRequests):
        await attempt(db, server, "ann", PASSWORD, "2001:db8::ffff")
    assert (await attempt(db, server, "ann", PASSWORD, "2001:db8:0:1::1")).name == "ann"


async def test_attempts_at_the_same_time_count_before_they_fail(pool: asyncpg.Pool, server: AuthServer):
    async with pool.acquire() as db:
        await server.user(db, "ann")

    async def guess(number: int) -> object:
        async with pool.acquire() as db:
            return await attempt(db, server, "ann", f"wrong password {number}")

    results = await asyncio.gather(*map(guess, range(16)), return_exceptions=True)

    assert sum(isinstance(each, Unauthenticated) for each in results) == BY_NAME.free + 1
    assert sum(isinstance(each, TooManyRequests) for each in results) == 16 - BY_NAME.free - 1


async def test_what_was_typed_as_a_name_is_not_stored(db: asyncpg.Connection, server: AuthServer):
    with pytest.raises(Unauthenticated):
        await server.sign_in(db, "my secret password", "x")

    for table in ("login_throttle", "audit"):
        rows = await db.fetch(f"SELECT t::text AS row FROM {table} t")
        assert rows
        assert not [row for row in rows if "my secret" in row["row"]]
    assert "my secret" not in repr(LoginAttempt("my secret password", "x"))


async def test_outcomes_and_their_time_are_counted(db: asyncpg.Connection, server: AuthServer):
    await server.user(db, "ann")
    await server.sign_in(db, "ann")
    for _ in range(BY_NAME.free + 1):
        with pytest.raises(Unauthenticated):
            await server.sign_in(db, "ann", "wrong password")
    with pytest.raises(TooManyRequests):
        await server.sign_in(db, "ann")

    counts = {
        outcome: server.counted("outrider_logins_total", outcome=outcome.value) for outcome in LoginOutcome
    }
    assert counts == {LoginOutcome.SUCCEEDED: 1, LoginOutcome.FAILED: 6, LoginOutcome.THROTTLED: 1}
    assert server.counted("outrider_login_seconds_count") == 8
    assert server.counted("outrider_login_seconds_sum") > 0
    assert server.counted("outrider_tokens_issued_total", kind="jwt") == 1
    assert server.counted("outrider_tokens_issued_total", kind="session") == 1


async def test_a_hash_with_old_parameters_is_replaced_at_login(db: asyncpg.Connection, server: AuthServer):
    await server.user(db, "ann")
    before = await db.fetchval("SELECT password_hash FROM app_user")
    stronger = Passwords(PasswordHasher(time_cost=2, memory_cost=64, parallelism=1))

    await log_in(db, LoginAttempt("ann", PASSWORD), stronger, server.metrics)

    after, generation = await db.fetchrow("SELECT password_hash, generation FROM app_user")
    assert after != before
    assert "t=2" in after
    assert generation == 1, "the same password revokes nothing"
    assert await stronger.verify(after, PASSWORD)


async def test_a_login_in_a_transaction_is_a_mistake(db: asyncpg.Connection, server: AuthServer):
    async with db.transaction():
        with pytest.raises(RuntimeError):
            await attempt(db, server, "ann")


async def _let_waits_pass(db: asyncpg.Connection) -> None:
    await db.execute("UPDATE login_throttle SET blocked_until = now() - interval '1 second'")
