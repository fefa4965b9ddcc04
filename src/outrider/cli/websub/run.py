"""Runs the listener for hubs until interrupted."""

import asyncio
import signal

from outrider.cli.database import open_database
from outrider.cli.output import print_json
from outrider.cli.streams import as_data, in_words, progress
from outrider.services.as_json import as_json
from outrider.services.sources.websub import listening_to_hubs
from outrider.settings import Loaded


async def listen_to_hubs(loaded: Loaded, *, json: bool) -> None:
    """Serve hubs on the address that the settings name."""
    async with (
        open_database(loaded) as database,
        listening_to_hubs(loaded.settings, database.dsn) as listener,
    ):
        out = progress(as_data if json else in_words)
        if json:
            print_json({"event": "listening"} | as_json(listener), out)
        else:
            print(
                f"Listening on {listener.bound} for hubs that call {listener.public} (Ctrl-C stops it)",
                file=out,
            )
        await _interruption()


async def _interruption() -> None:
    """Wait for Ctrl-C or SIGTERM."""
    loop, asked = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, asked.set)
    await asked.wait()
