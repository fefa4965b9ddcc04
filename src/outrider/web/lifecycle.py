"""The life of one server process: it starts, it is ready, it drains.

Features add functions to `context.parts["on_start"]` and `context.parts["on_shutdown"]`. The first are called
before the first request, the others when the process begins to drain: streams send their closing event there.
"""

import asyncio
from collections.abc import Awaitable, Callable

from outrider.logs import get_logger
from outrider.web.context import ServerContext

log = get_logger()

HOOK_S = 5.0  # longest time of one hook

Hook = Callable[[], Awaitable[object]]


async def start(context: ServerContext) -> None:
    """Call the hooks of the start. One that fails is logged: the others and the API go on."""
    await _call(context.parts.get("on_start", []))


async def drain(context: ServerContext) -> None:
    """Readiness becomes false, and streams close. Requests are still answered."""
    if not is_draining(context):
        context.parts["draining"] = True
        await _call(context.parts.get("on_shutdown", []))


def is_draining(context: ServerContext) -> bool:
    """Whether the process has been told to stop."""
    return bool(context.parts.get("draining"))


async def _call(hooks: list[Hook]) -> None:
    results = await asyncio.gather(
        *(asyncio.wait_for(hook(), HOOK_S) for hook in hooks), return_exceptions=True
    )
    for result in results:
        if isinstance(result, BaseException):
            log.error("hook of the server failed", exc_info=result)
