"""The audit log: what is in it, what never is, and how it is read."""

from dataclasses import asdict
from datetime import UTC, datetime, timedelta

import asyncpg
import pytest
from tests.support.auth import OPERATOR, PASSWORD, AuthServer, acting_as

from outrider.auth.audit import Actor, AuditFilter, AuditResult, record
from outrider.auth.authenticator import Credentials
from outrider.auth.login import LoginAttempt
from outrider.auth.model import Principal, Role
from outrider.auth.options import AuthOptions
from outrider.errors import Conflict, InvalidInput, Unauthenticated
from outrider.services.paging import PageRequest
from outrider.services.users.api_tokens import TokenRequest, create_api_token, revoke_api_token
from outrider.services.users.audit_log import list_audit
from outrider.services.users.changes import (
    change_own_password,
    change_role,
    disable_user,
    remove_user,
    set_password,
)
from outrider.services.users.sign_in import prepare_first_admin, set_up_first_admin, sign_out
from outrider.services.users.users import add_user


async def test_a_change_says_who_what_when_and_from_where(db: asyncpg.Connection, server: AuthServer):
    root = await server.user(db, "root", Role.ADMIN)
    ann = await server.user(db, "ann")

    await change_role(db, acting_as(root), "ann", Role.ADMIN)

    (entry,) = (await list_audit(db, AuditFilter(), PageRequest())).items
    assert (entry.user_id, entry.user_name, entry.role, entry.proven_by) == (
        root.user_id,
        "root",
        "admin",
        "session",
    )
    assert (entry.client_address, entry.request_id) == ("192.0.2.1", "request-1")
    assert (entry.action, entry.object_kind, entry.object_id) == ("user.role", "user", str(ann.user_id))
    assert entry.changes["before"]["role"] == "user"
    assert entry.changes["after"]["role"] == "admin"
    assert entry.result is AuditResult.DONE
    assert datetime.now(UTC) - entry.at < timedelta(minutes=5)


async def test_a_change_that_is_refused_or_rolled_back_leaves_no_row(
    db: asyncpg.Connection, server: AuthServer
):
    await server.user(db, "root", Role.ADMIN)

    with pytest.raises(Conflict):
        await disable_user(db, OPERATOR, "root")
    transaction = db.transaction()
    await transaction.start()
    await record(db, OPERATOR, "x", "y")
    await transaction.rollback()

    assert (await list_audit(db, AuditFilter(), PageRequest())).total == 0


async def test_no_password_token_or_cookie_is_ever_in_it(db: asyncpg.Connection, server: AuthServer):
    passwords, now = server.tools.passwords, datetime.now(UTC)
    code = await prepare_first_admin(db, AuthOptions(), passwords)
    first = await set_up_first_admin(db, server.tools, code, LoginAttempt("root", "first password"), now)
    root = await server.authenticator.principal(db, Credentials(session=first.session_cookie))
    actor = Actor(root, f"http://x:{PASSWORD.replace(' ', '')}@y", f"Bearer {first.token}")
    await add_user(db, actor, "ann", PASSWORD, Role.USER, passwords)
    await set_password(db, actor, "ann", "second password", passwords)
    made = await create_api_token(db, actor, TokenRequest("ci", "ann"), now)
    await record(
        db,
        actor,
        f"odd {made.key}",
        "odd",
        first.token,
        before={"password": PASSWORD, "note": made.key},
        after={"nested": [{"session_cookie": first.session_cookie}], "text": first.token},
    )
    await revoke_api_token(db, actor, made.token.token_id)
    await change_own_password(db, actor, "first password", "third password", passwords)
    with pytest.raises(Unauthenticated):
        await server.sign_in(db, "typed into the wrong field", "x")
    await server.sign_in(db, "root", "third password")
    await remove_user(db, actor, "ann")
    await sign_out(db, server.tools, actor, now)

    stored = "\n".join(row[0] for row in await db.fetch("SELECT audit::text FROM audit"))
    hashes = [row[0] for row in await db.fetch("SELECT password_hash FROM app_user")]
    assert stored.count("\n") >= 10
    secrets = [PASSWORD, PASSWORD.replace(" ", ""), "first password", "second password", "third password"]
    for secret in (*secrets, code, made.key, first.token, first.session_cookie, "wrong field", *hashes):
        assert secret not in stored


async def test_logins_are_in_it(db: asyncpg.Connection, server: AuthServer):
    ann = await server.user(db, "ann")
    await server.sign_in(db, "ann")
    with pytest.raises(Unauthenticated):
        await server.sign_in(db, "ann", "wrong password")

    refused, done = (await list_audit(db, AuditFilter(action="login"), PageRequest())).items
    assert (done.result, done.user_id, done.user_name) == (AuditResult.DONE, ann.user_id, "ann")
    assert (refused.result, refused.user_id, refused.client_address) == (
        AuditResult.REFUSED,
        None,
        "192.0.2.1",
    )


async def test_pages_have_every_row_once_while_rows_are_added(db: asyncpg.Connection):
    for number in range(25):
        await record(db, OPERATOR, f"action{number}", "thing", number)
    await db.execute("UPDATE audit SET at = date_trunc('hour', at)")  # the same time for all
    seen, cursor = [], None
    while True:
        page = await list_audit(db, AuditFilter(), PageRequest(10, after=cursor))
        seen += [entry.action for entry in page.items]
        await record(db, OPERATOR, "meanwhile", "thing")
        cursor = page.next
        if cursor is None:
            break

    assert seen == [f"action{number}" for number in reversed(range(25))]


async def test_filters_limit_the_list(db: asyncpg.Connection, server: AuthServer):
    ann, bob = await server.user(db, "Ann"), await server.user(db, "bob")
    await record(db, acting_as(ann), "job.pause", "job", 1)
    await record(db, acting_as(bob), "job.pause", "job", 2)
    await record(db, acting_as(bob), "source.add", "source", 2)
    await db.execute("UPDATE audit SET at = now() - interval '2 days' WHERE action = 'source.add'")
    yesterday = datetime.now(UTC) - timedelta(days=1)

    async def found(**wanted: object) -> list[tuple[str, str | None]]:
        page = await list_audit(db, AuditFilter(**wanted), PageRequest())
        assert page.total == len(page.items)
        return [(entry.user_name, entry.object_id) for entry in page.items]

    assert await found(user="ann") == [("Ann", "1")]
    assert await found(user=str(bob.user_id), object_kind="job") == [("bob", "2")]
    assert await found(action="job.pause") == [("bob", "2"), ("Ann", "1")]
    assert await found(object_kind="source", object_id="2") == [("bob", "2")]
    assert await found(until=yesterday) == [("bob", "2")]
    assert len(await found(since=yesterday)) == 2
    assert await found(user="x", action="y") == []


@pytest.mark.parametrize("cursor", ["x", "é", "WyJhdWRpdCIsMV0", "x" * 10_000])
async def test_a_broken_cursor_or_filter_is_refused(db: asyncpg.Connection, cursor: str):
    with pytest.raises(InvalidInput):
        await list_audit(db, AuditFilter(), PageRequest(after=cursor))
    with pytest.raises(InvalidInput):
        await list_audit(db, AuditFilter(user="a\x00"), PageRequest())
    with pytest.raises(InvalidInput):
        await list_audit(db, AuditFilter(), PageRequest(offset=5))


async def test_long_values_are_cut_and_strange_ones_stored(db: asyncpg.Connection):
    actor = Actor(Principal(name="n\x00" * 500), "a" * 500, "\ud800" * 500)
    await record(db, actor, "x" * 500, "y" * 500, "z" * 500, after={"big": "b" * 100_000, "a\x00": "\ud800"})

    (entry,) = (await list_audit(db, AuditFilter(), PageRequest())).items
    assert all(len(str(value)) < 1_000 for value in asdict(entry).values())
