"""Puts the parts of one server process together: its context and its application."""

import asyncpg
from fastapi import FastAPI
from starlette.middleware import Middleware

from outrider.settings import Loaded
from outrider.web.api.v1.routers import routers_for
from outrider.web.context import ServerContext
from outrider.web.dashboard.missing_pages import add_missing_pages
from outrider.web.dashboard.routers import PAGES
from outrider.web.identity import Identity
from outrider.web.request_metrics import CountRequests, RequestMetrics
from outrider.web.server import build_app
from outrider.web.server_secrets import server_secrets
from outrider.web.streams.streams import streams_of


def server_context(
    loaded: Loaded, pool: asyncpg.Pool, shared_metrics: str | None = None, dsn: str | None = None
) -> ServerContext:
    """The context of a process. Features that a process keeps for itself are added to it here.

    `shared_metrics` is the directory in which several processes keep their counts together, `dsn` the address
    of the embedded database.
    """
    identity = Identity(loaded.settings, server_secrets(loaded.settings))
    context = ServerContext(
        loaded, pool, identity.identify, identity.check_rate, parts={"identity": identity}
    )
    metrics = RequestMetrics()
    context.parts["request_metrics"] = metrics
    context.parts["metric_registries"] = [metrics.registry, identity.metrics.registry]
    context.parts["shared_metrics"] = shared_metrics
    context.parts["dsn"] = dsn
    context.parts["on_shutdown"] = [streams_of(context).close]
    return context


def server_app(context: ServerContext) -> FastAPI:
    """The application of a process, with every router and page."""
    app = build_app(context, routers_for(context), PAGES)
    add_missing_pages(app)
    # The innermost one, because it reads the route from the scope that the router fills.
    app.user_middleware.append(Middleware(CountRequests, metrics=context.parts["request_metrics"]))
    return app
