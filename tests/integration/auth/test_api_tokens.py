"""API tokens: who may create, see and revoke them."""

from datetime import UTC, datetime, timedelta

import asyncpg
import pytest
from tests.support.auth import OPERATOR, AuthServer, acting_as

from outrider.auth import api_tokens
from outrider.auth.audit import Actor
from outrider.auth.authenticator import Credentials
from outrider.auth.model import Role
from outrider.errors import Conflict, Denied, InvalidInput, NotFound
from outrider.services.as_json import as_json
from outrider.services.paging import PageRequest
from outrider.services.users.api_tokens import (
    TokenRequest,
    create_api_token,
    list_api_tokens,
    revoke_api_token,
)
from outrider.services.users.changes import disable_user, remove_user

NOW = datetime.now(UTC)


async def test_the_key_is_given_once_and_stored_as_a_hash(db: asyncpg.Connection, server: AuthServer):
    await server.user(db, "ann")
    made = await create_api_token(db, OPERATOR, TokenRequest("ci", "ann"), NOW)
    stored = await db.fetchval("SELECT api_token::text FROM api_token")

    assert made.key.startswith("ort_")
    assert made.key not in stored
    assert made.key not in repr(made)
    assert as_json(made)["key"] == made.key
    listed = await list_api_tokens(db, OPERATOR, PageRequest())
    assert made.key not in str(as_json(listed))


async def test_a_token_cannot_have_more_than_its_owner(db: asyncpg.Connection, server: AuthServer):
    await server.user(db, "ann")

    for role in (Role.ADMIN, Role.SERVICE, Role.ANONYMOUS):
        with pytest.raises(InvalidInput, match="at most"):
            await create_api_token(db, OPERATOR, TokenRequest("ci", "ann", role=role), NOW)


async def test_a_limited_token_of_an_administrator_creates_none_that_may_more(
    db: asyncpg.Connection, server: AuthServer
):
    root = await server.user(db, "root", Role.ADMIN)
    limited = await create_api_token(db, acting_as(root), TokenRequest("ci", "root", role=Role.USER), NOW)
    caller = Actor(await server.authenticator.principal(db, Credentials(bearer=limited.key)))

    with pytest.raises(InvalidInput, match="user at most"):
        await create_api_token(db, caller, TokenRequest("up", "root", role=Role.ADMIN), NOW)
    further = await create_api_token(db, caller, TokenRequest("more", "root"), NOW)

    assert further.token.role is Role.USER
    assert (await server.authenticator.principal(db, Credentials(bearer=further.key))).role is Role.USER
    whole = await create_api_token(db, acting_as(root), TokenRequest("whole", "root"), NOW)
    assert whole.token.role is Role.ADMIN


async def test_a_token_needs_a_name_of_its_own_and_an_end_to_come(db: asyncpg.Connection, server: AuthServer):
    await server.user(db, "ann")
    made = await create_api_token(db, OPERATOR, TokenRequest("ci", "ann"), NOW)

    with pytest.raises(Conflict, match="already"):
        await create_api_token(db, OPERATOR, TokenRequest("ci", "ann"), NOW)
    for name in ("", " ", "x" * 101, "a\nb", "a\x00b"):
        with pytest.raises(InvalidInput, match="name"):
            await create_api_token(db, OPERATOR, TokenRequest(name, "ann"), NOW)
    with pytest.raises(InvalidInput, match="expired"):
        await create_api_token(db, OPERATOR, TokenRequest("old", "ann", expires_at=NOW), NOW)
    await revoke_api_token(db, OPERATOR, made.token.token_id)
    again = await create_api_token(db, OPERATOR, TokenRequest("ci", "ann"), NOW)
    assert again.token.token_id != made.token.token_id


async def test_a_user_has_a_bounded_number_of_tokens(db: asyncpg.Connection, server: AuthServer, monkeypatch):
    monkeypatch.setattr(api_tokens, "MOST_TOKENS", 2)
    await server.user(db, "ann")
    for name in ("a", "b"):
        await create_api_token(db, OPERATOR, TokenRequest(name, "ann"), NOW)

    with pytest.raises(Conflict, match="revoke one"):
        await create_api_token(db, OPERATOR, TokenRequest("c", "ann"), NOW)


async def test_users_see_and_revoke_their_own_tokens_and_administrators_all(
    db: asyncpg.Connection, server: AuthServer
):
    root = await server.user(db, "root", Role.ADMIN)
    ann, bob = await server.user(db, "ann"), await server.user(db, "bob")
    of_ann = await create_api_token(db, acting_as(ann), TokenRequest("a", "ann"), NOW)
    of_bob = await create_api_token(db, acting_as(bob), TokenRequest("b", "bob"), NOW)

    async def seen_by(user) -> list[str]:
        return [token.name for token in (await list_api_tokens(db, acting_as(user), PageRequest())).items]

    assert (await seen_by(ann), await seen_by(bob), await seen_by(root)) == (["a"], ["b"], ["a", "b"])
    with pytest.raises(Denied):
        await list_api_tokens(db, acting_as(ann), PageRequest(), "bob")
    with pytest.raises(Denied):
        await create_api_token(db, acting_as(ann), TokenRequest("x", "bob"), NOW)
    with pytest.raises(NotFound):
        await revoke_api_token(db, acting_as(ann), of_bob.token.token_id)
    await revoke_api_token(db, acting_as(ann), of_ann.token.token_id)
    await revoke_api_token(db, acting_as(root), of_bob.token.token_id)
    with pytest.raises(NotFound):
        await revoke_api_token(db, acting_as(root), of_bob.token.token_id)
    assert await seen_by(root) == []


async def test_tokens_go_with_their_owner(db: asyncpg.Connection, server: AuthServer):
    await server.user(db, "ann")
    await create_api_token(db, OPERATOR, TokenRequest("ci", "ann", expires_at=NOW + timedelta(days=90)), NOW)
    await disable_user(db, OPERATOR, "ann")
    with pytest.raises(Conflict, match="disabled"):
        await create_api_token(db, OPERATOR, TokenRequest("x", "ann"), NOW)

    await remove_user(db, OPERATOR, "ann")

    assert await db.fetchval("SELECT count(*) FROM api_token") == 0
