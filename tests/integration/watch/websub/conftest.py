"""A hub, the address it calls back, and a feed that it was asked for."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from aiohttp import web
from tests.support.hub import Hub, Subscribe, serve, watch
from tests.support.newsroom import Engine, Newsroom

from outrider.app import watch_tasks_for
from outrider.feeds.options import FeedOptions
from outrider.watch.websub.pushes import PushReceiver


@pytest.fixture
async def hub() -> AsyncIterator[tuple[Hub, str]]:
    made = Hub()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", made.answer)
    runner, origin = await serve(app)
    made.address = origin
    yield made, origin  # as feeds often write it, without its last slash
    await runner.cleanup()


@pytest.fixture
async def callback(engine: Engine) -> AsyncIterator[str]:
    runner, origin = await serve(
        PushReceiver(engine.context.connection, engine.context.frontier).application()
    )
    yield origin
    await runner.cleanup()


@pytest.fixture
def subscribe(engine: Engine, callback: str) -> Subscribe:
    """One pass of the duty, as a worker runs it."""
    settings = replace(engine.settings, feeds=FeedOptions(websub_callback=f"{callback}/hooks"))
    duties = {
        duty.name: duty.run for duty in watch_tasks_for(settings, engine.context, engine.context.connection)
    }
    return duties["subscribe to hubs"]


@pytest.fixture
async def subscribed(
    engine: Engine, room: Newsroom, hub: tuple[Hub, str], subscribe: Subscribe
) -> tuple[Hub, str]:
    """A source whose feed names the hub, polled once, and asked for."""
    taker, address = hub
    url = await watch(engine, room, address)
    await subscribe()
    return taker, url
