"""Results of use cases as HTTP responses."""

import json
from dataclasses import fields
from hashlib import sha256
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from outrider.errors import PreconditionFailed
from outrider.services.as_json import as_json
from outrider.services.paging import CursorPage, ListPage

POSITION_HEADER = "X-Position"


def respond(result: Any, request: Request | None = None, status: int = 200) -> Response:
    """The JSON of a result. A GET has an ETag, and is 304 if the client has the same already.

    The position of a snapshot is in a header, and in the body of a list. It is no part of the ETag: a client
    that has the same list already may go on from the position that came with it.
    """
    if isinstance(result, Response):
        return result
    if result is None:
        return Response(status_code=204)
    body = to_bytes(result)
    headers = {}
    position: str | None = None if request is None else getattr(request.state, "position", None)
    if position is not None:
        headers[POSITION_HEADER] = position
    if request is not None and request.method == "GET" and status == 200:
        tag = etag(body)
        is_list = position is not None and isinstance(result, ListPage)
        headers["ETag"] = f"W/{tag}" if is_list else tag
        if tag in _tags(request.headers.get("if-none-match", "")):
            return Response(status_code=304, headers=headers)
        if is_list:
            body = body[:-1] + f',"position":"{position}"}}'.encode()  # encoded once: lists are large
    return Response(body, status, headers, "application/json")


def to_bytes(result: Any) -> bytes:
    """The JSON text of a result; a list has its items, total, limit and offset."""
    value = list_body(result) if isinstance(result, ListPage) else as_json(result)
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def list_body(page: ListPage[Any]) -> dict[str, Any]:
    """A list as the API answers it (APG-02)."""
    body: dict[str, Any] = {
        "items": as_json(page.items),
        "total": page.total,
        "total_is": page.total_is.value,
        "limit": page.limit,
        "offset": page.offset,
    }
    if isinstance(page, CursorPage):
        body["next"] = page.next
    own = {each.name for each in fields(page)} - body.keys()  # of a list that says more about itself
    return body | {name: as_json(getattr(page, name)) for name in sorted(own)}


def etag(body: bytes) -> str:
    """The entity tag of a representation."""
    return f'"{sha256(body).hexdigest()[:32]}"'


def check_if_match(request: Request, current: Any) -> None:
    """Raise PreconditionFailed if the request names another state than the current one."""
    wanted = request.headers.get("if-match")
    if wanted is None:
        return
    if wanted.strip() != "*" and etag(to_bytes(current)) not in _tags(wanted):
        raise PreconditionFailed("it was changed since you read it: read it again, then change it")


def _tags(header: str) -> set[str]:
    return {each.strip().removeprefix("W/") for each in header.split(",")[:100]}
