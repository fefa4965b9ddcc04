"""`outrider user` and `outrider token`, as an operator uses them."""

from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import pytest
from tests.support.auth import SECRETS
from tests.support.command import Ran, outrider_here_meanwhile

from outrider.auth.authenticator import Authenticator, Credentials
from outrider.auth.login import LoginAttempt, log_in
from outrider.auth.metrics import AuthMetrics
from outrider.auth.model import Role
from outrider.auth.passwords import Passwords
from outrider.auth.sessions import PostgresSessions
from outrider.errors import Unauthenticated

PASSWORD = "correct horse battery"


class Operator:
    """Runs commands on one database."""

    def __init__(self, database: str) -> None:
        self._settings = {"OUTRIDER_DATABASE_URL": database}

    async def run(self, *words: str, stdin: str = "") -> Ran:
        return await outrider_here_meanwhile(*words, settings=self._settings, stdin=stdin.encode())

    async def json(self, *words: str, stdin: str = "") -> Any:
        ran = await self.run(*words, "--json", stdin=stdin)
        assert ran.code == 0, ran.err
        return ran.json

    async def add(self, name: str, role: str = "user") -> Any:
        return await self.json("user", "add", name, "--role", role, "--password-stdin", stdin=PASSWORD + "\n")


@pytest.fixture
def operator(database: str) -> Operator:
    return Operator(database)


async def test_a_user_is_added_listed_changed_and_removed(operator: Operator, pool: asyncpg.Pool):
    root = await operator.add("root", "admin")
    await operator.add("ann")
    assert (root["name"], root["role"], root["enabled"]) == ("root", "admin", True)
    async with pool.acquire() as db:
        signed_in = await log_in(db, LoginAttempt("ann", PASSWORD), Passwords(), AuthMetrics())
    assert signed_in.name == "ann"

    listed = await operator.json("user", "list")
    assert [(user["name"], user["role"]) for user in listed["users"]] == [("ann", "user"), ("root", "admin")]
    assert listed["total"] == 2
    assert "ann" in (await operator.run("user", "list")).out

    assert (await operator.json("user", "role", "ann", "admin"))["role"] == "admin"
    assert (await operator.json("user", "disable", "ann"))["enabled"] is False
    assert (await operator.json("user", "enable", "ANN"))["enabled"] is True
    assert (await operator.json("user", "sign-out", "ann"))["name"] == "ann"
    await operator.json("user", "password", "ann", "--password-stdin", stdin="another password\n")
    async with pool.acquire() as db:
        with pytest.raises(Unauthenticated):
            await log_in(db, LoginAttempt("ann", PASSWORD), Passwords(), AuthMetrics())
        await log_in(db, LoginAttempt("ann", "another password"), Passwords(), AuthMetrics())

    unanswered = await operator.run("user", "remove", "ann")
    assert unanswered.code == 1
    assert (await operator.json("user", "remove", "ann", "--yes"))["name"] == "ann"
    assert (await operator.json("user", "list"))["total"] == 1
    actions = await pool.fetch("SELECT action, proven_by FROM audit ORDER BY audit_id")
    assert [row["action"] for row in actions] == [
        "user.add",
        "user.add",
        "user.role",
        "user.disable",
        "user.enable",
        "user.sign_out_everywhere",
        "user.password",
        "user.remove",
    ]
    assert {row["proven_by"] for row in actions} == {"shell"}


async def test_what_cannot_be_done_is_one_sentence(operator: Operator):
    await operator.add("root", "admin")
    for words, stdin, code, sentence in (
        (("user", "disable", "root"), "", 1, "last enabled administrator"),
        (("user", "role", "root", "user"), "", 1, "last enabled administrator"),
        (("user", "disable", "unknown"), "", 1, "no user of that name"),
        (("user", "add", "ROOT", "--password-stdin"), PASSWORD, 1, "already"),
        (("user", "add", "ann", "--password-stdin"), "short", 2, "at least 10"),
        (("user", "add", "ann", "--password-stdin"), "x" * 2_000, 2, "at most 1,024"),
        (("user", "add", "a b", "--password-stdin"), PASSWORD, 2, "letters, digits"),
        (("user", "add", "ann"), "", 2, "--password-stdin"),
        (("user", "add", "ann", "--role", "root", "--password-stdin"), PASSWORD, 2, "role"),
        (("token", "revoke", "99"), "", 1, "no such token"),
        (("token", "create", "ci", "--user", "unknown"), "", 1, "no user of that name"),
        (("token", "create", "ci", "--user", "root", "--expires", "soon"), "", 2, "90d"),
    ):
        ran = await operator.run(*words, stdin=stdin)
        assert (ran.code, ran.out) == (code, ""), (words, ran)
        assert sentence in ran.err, (words, ran.err)
        assert ran.err.count("\n") == 1


async def test_a_token_is_printed_once_works_and_is_revoked(operator: Operator, pool: asyncpg.Pool):
    await operator.add("root", "admin")
    authenticator = Authenticator(SECRETS, PostgresSessions())

    made = await operator.json(
        "token", "create", "ci", "--user", "root", "--read-only", "--role", "user", "--expires", "90d"
    )
    plain = await operator.run("token", "create", "other", "--user", "root")

    async with pool.acquire() as db:
        found = await authenticator.principal(db, Credentials(bearer=made["key"]))
        assert (found.name, found.role, found.read_only) == ("root", Role.USER, True)
        other = await authenticator.principal(db, Credentials(bearer=plain.out.strip()))
        assert (other.role, other.read_only) == (Role.ADMIN, False)
        left = datetime.fromisoformat(made["expires_at"]) - datetime.now(UTC)
        assert timedelta(days=89) < left <= timedelta(days=90)

        for listing in (await operator.run("token", "list"), await operator.run("token", "list", "--json")):
            assert "ci" in listing.out
            assert made["key"] not in listing.out
        await operator.json("token", "revoke", str(made["token_id"]))
        with pytest.raises(Unauthenticated):
            await authenticator.principal(db, Credentials(bearer=made["key"]))
    assert [token["name"] for token in (await operator.json("token", "list"))["tokens"]] == ["other"]


async def test_an_empty_database_says_what_to_do(operator: Operator):
    assert "outrider user add" in (await operator.run("user", "list")).out
    assert "outrider token create" in (await operator.run("token", "list")).out
