"""Gives every request an id, in its response and in its log lines (APG-03)."""

import re
import time
from uuid import uuid4

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from outrider.logs import bind, get_logger

log = get_logger()

HEADER = "x-request-id"
_USABLE = re.compile(r"[\x21-\x7e]{1,128}")


class RequestIds:
    """Takes the id of the client if it is usable, else makes one. Logs the request when it has ended."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = _given(scope) or uuid4().hex
        scope.setdefault("state", {})["request_id"] = request_id
        status, began = 0, time.monotonic()

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = [*message.get("headers", []), (HEADER.encode(), request_id.encode())]
                message = {**message, "headers": headers}
            await send(message)

        with bind(request_id=request_id):
            try:
                await self._app(scope, receive, send_with_id)
            finally:
                _log(scope, status, (time.monotonic() - began) * 1000)


def _given(scope: Scope) -> str | None:
    for name, value in scope["headers"]:
        if name == HEADER.encode():
            text: str = value.decode("latin-1")
            return text if _USABLE.fullmatch(text) else None
    return None


def _log(scope: Scope, status: int, took_ms: float) -> None:
    """One line a request; the query is left out, because it may hold a token."""
    route = scope.get("route")
    log.debug(
        "request",
        method=scope["method"],
        path=getattr(route, "path", scope["path"]),
        status_code=status,
        duration_ms=round(took_ms, 1),
    )
