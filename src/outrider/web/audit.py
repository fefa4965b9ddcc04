"""Writes the audit log for routes: who did what, from where, with which values."""

import json
from collections.abc import Mapping
from typing import Annotated, Any

import asyncpg
from fastapi import Depends
from starlette.requests import Request

from outrider.auth.audit import Actor, record
from outrider.web.access import Access
from outrider.web.identity import CSRF_FIELD, client_address


def actor_of(request: Request) -> Actor:
    """Who acts, and from where."""
    return Actor(request.state.principal, client_address(request), getattr(request.state, "request_id", None))


Acting = Annotated[Actor, Depends(actor_of)]


async def record_change(db: asyncpg.Connection, request: Request, access: Access) -> None:
    """Record a change in its transaction, unless the use case does that itself.

    `request.state.before` and `request.state.after` are what the handler noted; without them the row has
    the body of the request.
    """
    if access.action is None or access.records_itself:
        return
    kind, _, _ = access.action.partition(".")
    named = ",".join(str(value) for value in request.path_params.values())
    after = getattr(request.state, "after", None)
    if after is None:
        after = await _sent(request)
    await record(
        db,
        actor_of(request),
        access.action,
        kind,
        named or None,
        before=getattr(request.state, "before", None),
        after=after,
    )


async def _sent(request: Request) -> Mapping[str, Any]:
    """The parameters and the body of a request. Files are named, not kept."""
    sent: dict[str, Any] = dict(request.query_params)
    kind = request.headers.get("content-type", "")
    if kind.startswith("application/json"):
        try:
            body = json.loads(await request.body())
        except (ValueError, RecursionError):
            body = None
        sent |= body if isinstance(body, dict) else {"body": body}
    elif kind.startswith(("application/x-www-form-urlencoded", "multipart/form-data")):
        form = await request.form()
        sent |= {
            name: value if isinstance(value, str) else f"file {value.filename}"
            for name, value in form.items()
            if name != CSRF_FIELD
        }
    return sent
