"""Bounds the size and the time of a request body, so that no client can fill the memory or hold a handler."""

import asyncio
from collections.abc import Callable

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from outrider.web.errors import error_response

READ_TIMEOUT_S = 30.0  # of a whole body (APG-05)
MOST_HEADERS = 100
LONGEST_HEADERS = 64 << 10
LONGEST_TARGET = 16 << 10  # path and query


class RequestLimits:
    """Answers 413 to a body over the limit, 408 to one that takes too long, 431 to too many headers."""

    def __init__(self, app: ASGIApp, limit_of: Callable[[str], int]) -> None:
        """`limit_of` is the largest body of a path."""
        self._app = app
        self._limit_of = limit_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = scope["headers"]
        limit = self._limit_of(scope["path"])
        if len(headers) > MOST_HEADERS or sum(len(n) + len(v) for n, v in headers) > LONGEST_HEADERS:
            refusal: Response = error_response(
                431, "the request has too many or too long headers", "too_many_headers"
            )
        elif len(scope["raw_path"] or b"") + len(scope["query_string"]) > LONGEST_TARGET:
            refusal = error_response(414, "the address of the request is too long", "address_too_long")
        elif _declared(scope) > limit:
            refusal = _too_large(limit)
        else:
            await self._run(scope, receive, send, limit)
            return
        await refusal(scope, receive, send)

    async def _run(self, scope: Scope, receive: Receive, send: Send, limit: int) -> None:
        size, deadline, is_read = 0, asyncio.get_running_loop().time() + READ_TIMEOUT_S, False

        async def receive_within_limits() -> Message:
            nonlocal size, is_read
            if is_read:  # only the end of the connection can follow
                return await receive()
            try:
                async with asyncio.timeout_at(deadline):
                    message = await receive()
            except TimeoutError:
                raise _Refused(408) from None
            size += len(message.get("body", b""))
            if size > limit:
                raise _Refused(413)
            is_read = not message.get("more_body", False)
            return message

        try:
            await self._app(scope, receive_within_limits, send)
        except _Refused as refused:
            answer = (
                _too_large(limit)
                if refused.status == 413
                else error_response(408, "the body of the request took too long", "timeout")
            )
            await answer(scope, receive, send)


class _Refused(Exception):
    """The body is too large or too slow. No handler can have answered yet: it is still reading the body."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def _declared(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value[:20])
    return 0


def _too_large(limit: int) -> Response:
    return error_response(413, f"the body is larger than {limit:,} bytes", headers={"Connection": "close"})
