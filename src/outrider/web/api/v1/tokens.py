"""`/api/v1/tokens`: API tokens for programs."""

from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi import Path, Query
from pydantic import AwareDatetime, Field
from starlette.requests import Request

from outrider.auth.api_tokens import ApiToken
from outrider.auth.metrics import TokenKind
from outrider.auth.model import Role
from outrider.services.paging import ListPage
from outrider.services.users.api_tokens import (
    CreatedToken,
    TokenRequest,
    create_api_token,
    list_api_tokens,
    revoke_api_token,
)
from outrider.web.api.v1.auth import identity_of
from outrider.web.api.v1.shapes.auth import CreatedTokenShape
from outrider.web.audit import Acting
from outrider.web.dependencies import Db, Paging, RequestBody
from outrider.web.router import ApiRouter

router = ApiRouter("tokens")


class NewToken(RequestBody):
    """A token that is to be created; without `user` it is the caller's own."""

    name: str = Field(max_length=100)
    user: str | None = Field(None, max_length=200)
    role: Literal[Role.USER, Role.ADMIN] | None = None
    read_only: bool = False
    expires_at: AwareDatetime | None = None


@router.get("/api/v1/tokens", Role.USER, summary="List API tokens", result=ListPage[ApiToken], errors=(404,))
async def get_tokens(
    db: Db, acting: Acting, paging: Paging, user: Annotated[str | None, Query(max_length=200)] = None
) -> ListPage[ApiToken]:
    """One's own tokens; an administrator sees those of all users."""
    return await list_api_tokens(db, acting, paging, user)


@router.post(
    "/api/v1/tokens",
    Role.USER,
    summary="Create an API token",
    creates="/token/token_id",
    action="api_token.create",
    result=CreatedTokenShape,
    status=201,
    is_secret=True,
    records_itself=True,
    errors=(404,),
)
async def post_token(request: Request, db: Db, acting: Acting, body: NewToken) -> CreatedToken:
    """The answer has the token itself, this once."""
    owner = body.user or acting.principal.name
    wanted = TokenRequest(body.name, owner, body.role, body.read_only, body.expires_at)
    created = await create_api_token(db, acting, wanted, datetime.now(UTC))
    identity_of(request).metrics.count_token(TokenKind.API_TOKEN)
    return created


@router.delete(
    "/api/v1/tokens/{token_id}",
    Role.USER,
    summary="Revoke an API token",
    action="api_token.revoke",
    result=ApiToken,
    records_itself=True,
)
async def delete_token(
    db: Db, acting: Acting, token_id: Annotated[int, Path(ge=1, le=2**31 - 1)]
) -> ApiToken:
    """The token is refused from now on."""
    return await revoke_api_token(db, acting, token_id)
