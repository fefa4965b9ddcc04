"""The use case of `outrider websub`: serve WebSub hubs."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Misconfigured
from outrider.feeds.callback import ListenAddress
from outrider.frontier.store import FrontierStore
from outrider.services.as_json import json_name
from outrider.settings import Settings
from outrider.watch.websub.pushes import PushReceiver

LAST_WORDS_S = 5.0  # for calls in progress at the stop


@dataclass(frozen=True, slots=True)
class HubListener:
    """A listener that accepts calls: its bound address, and the public address that hubs call."""

    bound: str = field(metadata=json_name("listen"))
    public: str


@asynccontextmanager
async def listening_to_hubs(settings: Settings, dsn: str) -> AsyncIterator[HubListener]:
    """Serve hubs until the block ends; raises Misconfigured without a public address or a free port."""
    public = public_address(settings)
    pooled = settings.database.through_pooler
    connection = ReconnectingConnection(dsn, application_name="outrider websub", through_pooler=pooled)
    try:
        app = PushReceiver(connection, FrontierStore(settings.frontier)).application()
        async with _listening(app, settings.feeds.websub_listen) as bound:
            yield HubListener(str(bound), public)
    finally:
        await connection.close()


def public_address(settings: Settings) -> str:
    """The address that hubs call; raises Misconfigured if there is none."""
    public = settings.feeds.websub_callback
    if public is None:
        raise Misconfigured(
            "no hub can reach this listener: OUTRIDER_WEBSUB_CALLBACK names no public address"
        )
    return public


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
