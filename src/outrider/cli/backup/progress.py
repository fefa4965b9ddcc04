"""Shows on a terminal how far a backup or a restore has come."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from outrider.cli.output import errors
from outrider.wording import size

_EVERY_S = 0.2
_STEPS = {
    "counting": "Counting rows",
    "writing": "Writing",
    "verifying": "Reading all of it again",
    "restoring": "Restoring into a new database",
    "comparing": "Comparing the rows",
    "preparing": "Preparing it for new processes",
    "replacing": "Replacing the database",
}


@asynccontextmanager
async def shown_progress() -> AsyncIterator[dict[str, Any]]:
    """A dictionary for the progress; while the block runs, its step is shown on a terminal."""
    progress = dict[str, Any]()
    if not errors().is_terminal:
        yield progress
        return
    with errors().status("Connecting …") as status:

        async def show() -> None:
            while True:
                step = _STEPS.get(progress.get("step", ""), "Connecting")
                done = f" {size(progress['bytes'])}" if step == "Writing" and "bytes" in progress else ""
                status.update(f"{step}{done} …")
                await asyncio.sleep(_EVERY_S)

        showing = asyncio.create_task(show())
        try:
            yield progress
        finally:
            showing.cancel()
            await asyncio.gather(showing, return_exceptions=True)
