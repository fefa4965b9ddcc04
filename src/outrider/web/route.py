"""The way of every request of the API, from the caller's identity to the audit log."""

from collections.abc import Callable, Coroutine, Mapping
from contextlib import AsyncExitStack
from math import ceil
from typing import Any, get_origin

import asyncpg
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response

from outrider.auth.model import ANONYMOUS, Principal, Role
from outrider.auth.rate_limits import Allowed
from outrider.errors import Denied, InvalidInput, Unauthenticated
from outrider.services.paging import MOST_SHOWN
from outrider.services.positions import current_position
from outrider.web.access import Access
from outrider.web.audit import record_change
from outrider.web.context import context_of
from outrider.web.dependencies import kinds_of
from outrider.web.errors import error_response
from outrider.web.idempotency import IdempotencyKey, IdempotentAnswers, key_of
from outrider.web.identity import REFUSED_LIMIT
from outrider.web.own_site import check_own_site
from outrider.web.streams.streams import streams_of

MOST_PARAMETERS = 100

Handler = Callable[[Request], Coroutine[Any, Any, Response]]
_ANSWERS = IdempotentAnswers()


class ApiRoute(APIRoute):
    """A route that knows who may call it.

    It opens the connection of the request, identifies the caller, checks role, rate and parameters, runs the
    handler, in one transaction if it changes something, and leaves the record in the audit log.
    """

    refuses_unknown = True  # query parameters

    @property
    def access(self) -> Access:
        access: Access = self.endpoint.access  # type: ignore[attr-defined]
        return access

    def get_route_handler(self) -> Handler:
        handle = super().get_route_handler()
        access = self.access
        known = _query_parameters(self.dependant)

        async def run(request: Request) -> Response:
            if self.refuses_unknown:
                _refuse_unknown(request, known)
            await request.body()  # a slow client must not hold a connection
            if access.is_probe:
                return await handle(request)
            context = context_of(request)
            async with AsyncExitStack() as held:
                db = await held.enter_async_context(context.connection())
                try:
                    principal = await self.identify(request, db)
                except Unauthenticated:  # each attempt costs a query
                    await context.check_rate(request, db, ANONYMOUS, REFUSED_LIMIT)
                    raise
                request.state.principal = principal
                allowed = await context.check_rate(request, db, principal, access.limit)
                if not access.permits(principal, request.method):
                    return self.refuse(request, principal)
                await check_own_site(request, db, principal)
                if not access.needs_database:
                    await held.aclose()
                    return await handle(request)
                request.state.db = db
                return _with_limits(await _carry_out(handle, request, db, access), allowed)

        return run

    async def identify(self, request: Request, db: asyncpg.Connection) -> Principal:
        """The caller. Old credentials do not keep anyone from what everyone may call, such as signing in."""
        try:
            return await context_of(request).identify(request, db)
        except Unauthenticated:
            if self.access.role is not Role.ANONYMOUS:
                raise
            return ANONYMOUS

    def refuse(self, request: Request, principal: Principal) -> Response:
        """The answer to a caller who may not call the route."""
        if not principal.is_signed_in:
            return error_response(
                401,
                "sign in first: POST /api/v1/auth/login, or send a token in `Authorization: Bearer`",
                headers={"WWW-Authenticate": "Bearer"},
            )
        raise Denied(why_refused(principal, self.access))


async def _carry_out(handle: Handler, request: Request, db: asyncpg.Connection, access: Access) -> Response:
    if access.has_position:  # read before the state: events that the state does not show come after it
        request.state.position = await current_position(db)
    if access.action is None:
        return await handle(request)
    key = await key_of(request, request.state.principal)
    if access.in_transaction:
        async with db.transaction():
            response = await _change(handle, request, db, access, key)
    else:
        response = await _change(handle, request, db, access, key)
    streams_of(context_of(request)).changed()
    return response


async def _change(
    handle: Handler, request: Request, db: asyncpg.Connection, access: Access, key: IdempotencyKey | None
) -> Response:
    if key is not None and (kept := await _ANSWERS.reserve(db, key)) is not None:
        return kept
    try:
        response = await handle(request)
    except BaseException:
        if key is not None and not access.in_transaction:
            await _ANSWERS.forget(db, key)
        raise
    await record_change(db, request, access)
    if key is not None:
        await _ANSWERS.keep(db, key, response, is_secret=access.is_secret)
    return response


def _with_limits(response: Response, allowed: Allowed | None) -> Response:
    """Tell the caller how many requests are left."""
    if allowed is not None:
        response.headers["RateLimit-Limit"] = str(allowed.limit)
        response.headers["RateLimit-Remaining"] = str(allowed.remaining)
        response.headers["RateLimit-Reset"] = str(ceil(allowed.reset_s))
    return response


def why_refused(principal: Principal, access: Access) -> str:
    """The sentence for a principal whose role is not enough."""
    if principal.read_only:
        return "this token may only read"
    needed = "an administrator" if access.role is Role.ADMIN else f"the role {access.role.value!r}"
    return f"this needs {needed}; you are {principal.name!r} with the role {principal.role.value!r}"


def _query_parameters(dependant: Dependant) -> dict[str, bool]:
    """All query parameters that a route takes, its dependencies included, and whether each may come again."""
    found = {
        each.alias: any(get_origin(kind) is list for kind in kinds_of(each.field_info.annotation))
        for each in dependant.query_params
    }
    for each in dependant.dependencies:
        found |= _query_parameters(each)
    return found


def _refuse_unknown(request: Request, known: Mapping[str, bool]) -> None:
    """Refuse parameters that the route does not take, and values of which only the last one would count."""
    given = request.query_params.multi_items()
    if len(given) > MOST_PARAMETERS:
        raise InvalidInput(f"a request takes up to {MOST_PARAMETERS} parameters, not {len(given):,}")
    seen = set()
    for name, _ in given:
        if name not in known:
            only = f"only {', '.join(sorted(known))}" if known else "this address takes none"
            raise InvalidInput(f"there is no parameter {name[:MOST_SHOWN]!r}: {only}")
        if name in seen and not known[name]:
            raise InvalidInput(f"the parameter {name!r} is given more than once: give it once")
        seen.add(name)
