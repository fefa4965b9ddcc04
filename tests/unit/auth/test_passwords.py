"""Passwords are hashed with Argon2id, by a policy that says what to change."""

import asyncio

import pytest
from argon2 import PasswordHasher

from outrider.auth import passwords as module
from outrider.auth.passwords import LONGEST, MOST_WAITING, SHORTEST, Passwords, check_password
from outrider.errors import InvalidInput, TooManyRequests

QUICK = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)


async def test_a_password_is_verified_against_its_hash_only():
    passwords = Passwords(QUICK)
    stored = await passwords.hash("correct horse battery")

    assert stored.startswith("$argon2id$")
    assert "correct horse" not in stored
    assert await passwords.verify(stored, "correct horse battery")
    assert not await passwords.verify(stored, "correct horse batterz")
    assert not await passwords.verify(stored, "")


async def test_one_password_has_two_hashes():
    passwords = Passwords(QUICK)

    assert await passwords.hash("correct horse") != await passwords.hash("correct horse")


async def test_the_same_letters_in_another_form_are_the_same_password():
    passwords = Passwords(QUICK)

    assert await passwords.verify(
        await passwords.hash("caf\u00e9 caf\u00e9 caf\u00e9"), "cafe\u0301 " * 2 + "cafe\u0301"
    )


async def test_an_unknown_user_costs_a_verification_too(monkeypatch):
    passwords = Passwords(QUICK)
    verified: list[str | None] = []
    real = passwords._work
    monkeypatch.setattr(
        passwords, "_work", lambda given, stored: verified.append(stored) or real(given, stored)
    )

    assert not await passwords.verify(None, "correct horse")
    assert not await passwords.verify(None, "no user has this password"), "the dummy is no password"

    assert len([stored for stored in verified if stored]) == 2


@pytest.mark.parametrize(
    ("password", "why"),
    [
        ("x" * (SHORTEST - 1), "at least 10"),
        ("x" * (LONGEST + 1), "at most 1,024"),
        ("ten chars \ud800", "not valid Unicode"),
    ],
)
def test_the_policy_says_what_to_change(password: str, why: str):
    with pytest.raises(InvalidInput, match=why):
        check_password(password)


def test_the_shortest_and_the_longest_password_are_accepted():
    assert check_password("x" * SHORTEST)
    assert check_password("x" * LONGEST)


async def test_a_password_longer_than_the_longest_is_never_right():
    passwords = Passwords(QUICK)
    stored = await passwords.hash("x" * LONGEST)

    assert not await passwords.verify(stored, "x" * (LONGEST + 1))
    assert not await passwords.verify(stored, "\ud800" * 10)


async def test_a_hash_with_other_parameters_is_to_be_replaced():
    stored = await Passwords(QUICK).hash("correct horse")
    stronger = Passwords(PasswordHasher(time_cost=2, memory_cost=64, parallelism=1))

    assert not Passwords(QUICK).needs_rehash(stored)
    assert stronger.needs_rehash(stored)
    assert stronger.needs_rehash("nonsense")
    assert not stronger.needs_rehash(await stronger.rehash("short"))


async def test_a_damaged_hash_refuses_every_password():
    assert not await Passwords(QUICK).verify("$argon2id$nonsense", "correct horse")


async def test_many_logins_at_once_do_not_take_all_memory(monkeypatch):
    passwords = Passwords(QUICK)
    at_once, most = 0, 0
    lock = asyncio.Lock()

    async def slow(work, *arguments):
        nonlocal at_once, most
        async with lock:
            at_once += 1
            most = max(most, at_once)
        await asyncio.sleep(0)
        at_once -= 1
        return work(*arguments)

    monkeypatch.setattr(module.asyncio, "to_thread", slow)
    results = await asyncio.gather(
        *(passwords.hash("correct horse") for _ in range(MOST_WAITING + 5)), return_exceptions=True
    )

    assert most <= module.AT_ONCE
    assert sum(isinstance(each, TooManyRequests) for each in results) == 5
