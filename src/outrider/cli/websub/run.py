"""Runs the listener for hubs until interrupted."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from outrider.cli.database import open_database
from outrider.cli.output import print_json
from outrider.cli.streams import as_data, in_words, progress
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Misconfigured
from outrider.feeds.callback import ListenAddress
from outrider.frontier.store import FrontierStore
from outrider.settings import Loaded
from outrider.watch.websub.pushes import Pushes

LAST_WORDS_S = 5.0  # for calls in progress at the stop


async def listen_to_hubs(loaded: Loaded, public: str, *, json: bool) -> None:
    """Serve hubs that call `public` on the address the settings name."""
    settings = loaded.settings
    pooled = settings.database.through_pooler
    async with open_database(loaded) as database:
        connection = ReconnectingConnection(
            database.dsn, application_name="outrider websub", through_pooler=pooled
        )
        try:
            app = Pushes(connection, FrontierStore(settings.frontier)).application()
            async with _listening(app, settings.feeds.websub_listen) as bound:
                out = progress(as_data if json else in_words)
                if json:
                    print_json({"event": "listening", "listen": str(bound), "public": public}, out)
                else:
                    print(f"Listening on {bound} for hubs that call {public} (Ctrl-C stops it)", file=out)
                await _interruption()
        finally:
            await connection.close()


@asynccontextmanager
async def _listening(app: web.Application, at: ListenAddress) -> AsyncIterator[ListenAddress]:
    """Serve `app` at the address; yields the bound address. Raises Misconfigured if it cannot be bound."""
    # The callback addresses contain a token, so there is no access log.
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=LAST_WORDS_S)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, at.host, at.port).start()
        except OSError as error:
            raise Misconfigured(f"OUTRIDER_WEBSUB_LISTEN: cannot listen on {at}: {error}") from error
        host, port = runner.addresses[0][:2]
        yield ListenAddress(host, port)
    finally:
        await runner.cleanup()


async def _interruption() -> None:
    """Wait for Ctrl-C or SIGTERM."""
    loop, asked = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, asked.set)
    await asked.wait()
