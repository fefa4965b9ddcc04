"""Builds the application of one server process."""

from collections.abc import Sequence

from fastapi import FastAPI

from outrider import __version__
from outrider.web.context import ServerContext
from outrider.web.errors import add_error_handlers
from outrider.web.router import ApiRouter


def build_app(context: ServerContext, routers: Sequence[ApiRouter]) -> FastAPI:
    """The application with these routers."""
    app = FastAPI(
        title="Outrider",
        version=__version__,
        summary="A polite, durable web crawler.",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        root_path=context.settings.web.root_path,
    )
    app.state.context = context
    add_error_handlers(app)
    for router in routers:
        app.include_router(router.routes)
    return app
