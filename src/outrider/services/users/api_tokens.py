"""Use cases of API tokens: create, list and revoke them."""

from dataclasses import dataclass, field
from datetime import datetime

import asyncpg

from outrider.auth import api_tokens
from outrider.auth.api_tokens import ApiToken
from outrider.auth.audit import Actor, record
from outrider.auth.model import Role
from outrider.auth.user_names import name_key
from outrider.auth.users import User, find_user
from outrider.errors import Conflict, Denied, InvalidInput
from outrider.services.paging import ListPage, PageRequest

MOST_LISTED = 500
OF_OTHERS = "only an administrator can use tokens of other users"
TOKEN = "api_token"  # the kind of object in the audit log


@dataclass(frozen=True, slots=True)
class TokenRequest:
    """A token that is to be created. Without a role it has the highest that is allowed."""

    name: str
    user: str
    role: Role | None = None
    read_only: bool = False
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class CreatedToken:
    """A new token. `key` is shown this once."""

    token: ApiToken
    key: str = field(repr=False)

    def json_form(self) -> dict[str, object]:
        return {"token": self.token, "key": self.key}


async def create_api_token(
    db: asyncpg.Connection, actor: Actor, request: TokenRequest, now: datetime
) -> CreatedToken:
    """Create a token for the user who acts, or as an administrator for any user."""
    if request.expires_at is not None and request.expires_at <= now:
        raise InvalidInput("the token would have expired already: choose a later end")
    async with db.transaction():
        owner = await _owner(db, actor, request.user)
        if not owner.is_enabled:
            raise Conflict(f"{owner.name!r} is disabled: enable the user first")
        token, key = await api_tokens.create_token(
            db,
            owner,
            request.name,
            role=request.role,
            most=actor.principal.role,
            read_only=request.read_only,
            expires_at=request.expires_at,
        )
        after = {
            "name": token.name,
            "owner": token.user_name,
            "role": token.role.value,
            "read_only": token.read_only,
            "expires_at": None if token.expires_at is None else token.expires_at.isoformat(),
        }
        await record(db, actor, "api_token.create", TOKEN, token.token_id, after=after)
    return CreatedToken(token, key)


async def list_api_tokens(
    db: asyncpg.Connection, actor: Actor, page: PageRequest, user: str | None = None
) -> ListPage[ApiToken]:
    """A page of the tokens that are not revoked: one's own, or as an administrator those of any user."""
    page = page.checked(MOST_LISTED)
    async with db.transaction():
        owner_id = actor.principal.user_id if actor.principal.role is not Role.ADMIN else None
        if user is not None:
            owner_id = (await _owner(db, actor, user)).user_id
        _check_owner(actor, owner_id)
        found, total = await api_tokens.list_tokens(db, owner_id, page.limit, page.offset)
    return ListPage(found, total, page.limit, page.offset)


async def revoke_api_token(db: asyncpg.Connection, actor: Actor, token_id: int) -> ApiToken:
    """Refuse a token from now on; raises NotFound, also for a token of another user."""
    owner_id = None if actor.principal.role is Role.ADMIN else actor.principal.user_id
    if owner_id is None:
        _check_owner(actor, None)
    async with db.transaction():
        token = await api_tokens.revoke_token(db, token_id, owner_id)
        await record(
            db,
            actor,
            "api_token.revoke",
            TOKEN,
            token.token_id,
            before={"name": token.name, "owner": token.user_name},
        )
    return token


async def _owner(db: asyncpg.Connection, actor: Actor, named: str) -> User:
    """The user of that name. Who is not an administrator gets the same answer for every other name.

    The name is compared before the user is looked up, so neither the answer nor its time tells who exists.
    """
    principal = actor.principal
    if principal.role is not Role.ADMIN and name_key(named) != name_key(principal.name):
        raise Denied(OF_OTHERS)
    owner = await find_user(db, named)
    _check_owner(actor, owner.user_id)
    return owner


def _check_owner(actor: Actor, owner_id: int | None) -> None:
    """Tokens of others, or of all, are for administrators."""
    principal = actor.principal
    if principal.role is not Role.ADMIN and (owner_id is None or owner_id != principal.user_id):
        raise Denied(OF_OTHERS)
