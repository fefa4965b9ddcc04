"""Answers an error that nothing else handles, with the headers of every other answer."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from outrider.logs import get_logger
from outrider.web.errors import error_response

log = get_logger()

SENTENCE = "an unexpected error: the log of the server has it under this request id"


class UnexpectedErrors:
    """Stands inside the middlewares that add headers: Starlette would answer outside of them."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        has_begun = False

        async def note(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self._app(scope, receive, note)
        except Exception as error:
            log.error("request failed", path=scope["path"], exc_info=error)
            if has_begun:
                raise  # the connection ends: the client sees that the answer is not whole
            await error_response(500, SENTENCE)(scope, receive, send)
