"""Proves a user by name and password, with growing waits after failures (AUT-11)."""

import time
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from math import ceil

import asyncpg

from outrider.auth.metrics import AuthMetrics, LoginOutcome
from outrider.auth.passwords import LONGEST, Passwords
from outrider.auth.rate_limits import address_group
from outrider.auth.throttle import BY_ADDRESS, BY_NAME, ThrottlePolicy, ThrottleState, count_attempt, wait_now
from outrider.auth.user_names import name_key
from outrider.auth.users import User, record_login, store_rehash, user_with_hash
from outrider.db.queries import Queries
from outrider.errors import TooManyRequests, Unauthenticated
from outrider.logs import get_logger

log = get_logger()

WRONG = "the user name or the password is not right"

_SQL = Queries.load("outrider.auth")


@dataclass(frozen=True, slots=True)
class LoginAttempt:
    """What a person typed, and from where."""

    name: str
    password: str
    address: str | None = None  # None: not from a network

    def __repr__(self) -> str:
        return "LoginAttempt(…)"  # people type passwords into the field of the name


async def log_in(
    db: asyncpg.Connection, attempt: LoginAttempt, passwords: Passwords, metrics: AuthMetrics
) -> User:
    """The user with that name and password; raises Unauthenticated, or TooManyRequests with the wait.

    Runs outside a transaction: a failure has to stay counted although this raises.
    """
    if db.is_in_transaction():
        raise RuntimeError("log_in needs a connection without a transaction")
    began = time.perf_counter()
    outcome = LoginOutcome.FAILED
    try:
        user = await _log_in(db, attempt, passwords)
        outcome = LoginOutcome.SUCCEEDED
        return user
    except TooManyRequests:
        outcome = LoginOutcome.THROTTLED
        raise
    finally:
        metrics.count_login(outcome, time.perf_counter() - began)


async def _log_in(db: asyncpg.Connection, attempt: LoginAttempt, passwords: Passwords) -> User:
    subjects = _subjects(attempt)
    await _begin_attempt(db, subjects)
    found = await user_with_hash(db, attempt.name)
    user, stored = found or (None, None)
    is_right = await passwords.verify(stored, attempt.password)
    if user is None or stored is None or not is_right or not user.is_enabled:
        log.info("login failed", user_id=user.user_id if user else None, client=attempt.address)
        raise Unauthenticated(WRONG)
    if passwords.needs_rehash(stored) and len(attempt.password) <= LONGEST:
        await store_rehash(db, user, stored, await passwords.rehash(attempt.password))
    async with db.transaction():
        await db.execute(_SQL.forget_failures, _name_subject(attempt.name), _address_subject(attempt.address))
        return await record_login(db, user)


async def _begin_attempt(db: asyncpg.Connection, subjects: dict[str, ThrottlePolicy]) -> None:
    """Count the attempt as failed, or raise TooManyRequests while a wait is on."""
    async with db.transaction():
        await db.execute(_SQL.add_throttles, sorted(subjects))
        rows = await db.fetch(_SQL.lock_throttles, list(subjects))
        now = rows[0]["now"]
        states = {row["subject"]: _state(row) for row in rows}
        wait = max(wait_now(state, now) for state in states.values())
        if wait > timedelta():
            seconds = ceil(wait.total_seconds())
            raise TooManyRequests(
                f"there were too many failed logins: wait {seconds} s and try again", seconds
            )
        for subject, policy in subjects.items():
            counted = count_attempt(states[subject], now, policy)
            await db.execute(
                _SQL.count_failure, subject, counted.failures, counted.last_failed_at, counted.blocked_until
            )


def _state(row: asyncpg.Record) -> ThrottleState:
    return ThrottleState(row["failures"], row["last_failed_at"], row["blocked_until"])


def _subjects(attempt: LoginAttempt) -> dict[str, ThrottlePolicy]:
    subjects = {_name_subject(attempt.name): BY_NAME}
    address = _address_subject(attempt.address)
    return subjects | ({address: BY_ADDRESS} if address is not None else {})


def _name_subject(name: str) -> str:
    """A hash: what is typed as a name can be of any length, and can be a password."""
    return "name:" + sha256(name_key(name).encode("utf-8", "replace")).hexdigest()


def _address_subject(address: str | None) -> str | None:
    return None if address is None else f"address:{address_group(address)}"
