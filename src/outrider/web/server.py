"""Builds the application of one server process."""

from collections.abc import Sequence
from functools import partial

from fastapi import FastAPI
from starlette.middleware import Middleware

from outrider import __version__
from outrider.web.api.docs import show_docs
from outrider.web.assets import PREFIX, serve_asset
from outrider.web.context import ServerContext
from outrider.web.dashboard.pages import PageRouter
from outrider.web.errors import add_error_handlers
from outrider.web.middleware.client_address import ClientAddresses
from outrider.web.middleware.request_id import RequestIds
from outrider.web.middleware.request_limits import RequestLimits
from outrider.web.middleware.security_headers import SecurityHeaders
from outrider.web.middleware.unexpected_errors import UnexpectedErrors
from outrider.web.openapi import describe
from outrider.web.options import WebOptions
from outrider.web.path_order import with_other_methods
from outrider.web.router import ApiRouter

_LARGE_OF_SITES = ("/paths", "/events", "/hits", "/views", "/not-found")  # whole inventories, and batches


def build_app(
    context: ServerContext, routers: Sequence[ApiRouter], pages: Sequence[PageRouter] = ()
) -> FastAPI:
    """The application with these routers of the API and of the dashboard."""
    options = context.settings.web
    app = FastAPI(
        title="Outrider",
        version=__version__,
        summary="A polite, durable web crawler.",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        root_path=options.root_path,
        middleware=[
            Middleware(ClientAddresses, trusted=options.trusted_proxies),
            Middleware(RequestIds),
            Middleware(SecurityHeaders),
            Middleware(UnexpectedErrors),
            Middleware(RequestLimits, limit_of=partial(body_limit, options)),
        ],
    )
    app.state.context = context
    app.openapi = partial(describe, app)  # type: ignore[method-assign]
    add_error_handlers(app)
    app.add_route("/api/docs", show_docs, include_in_schema=False)
    app.add_route(f"{PREFIX}{{path:path}}", serve_asset, include_in_schema=False)
    declared = [each.routes for each in routers] + [each.routes for each in pages]
    app.router.routes.extend(with_other_methods([route for each in declared for route in each.routes]))
    return app


def body_limit(options: WebOptions, path: str) -> int:
    """The largest body of a request to this path: imports and reports of sites may be larger than others."""
    is_large = path.endswith("/import") or ("/sites/" in path and path.endswith(_LARGE_OF_SITES))
    return options.import_limit if is_large else options.body_limit
