"""`/metrics`: the figures for Prometheus, for callers of the internal network only (API-04)."""

from ipaddress import ip_address, ip_network
from typing import Annotated

from fastapi import Depends
from starlette.requests import Request
from starlette.responses import Response

from outrider.auth.model import Role
from outrider.errors import Denied
from outrider.web.api.health import health_of
from outrider.web.context import ServerContext
from outrider.web.dependencies import Context
from outrider.web.exposition import Exposition
from outrider.web.router import ApiRouter

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

router = ApiRouter("metrics")


def _request(request: Request) -> Request:
    """A route has one parameter for the request, which the router takes for itself."""
    return request


@router.get(
    "/metrics",
    Role.ANONYMOUS,
    summary="Show all metrics",
    media=("text/plain",),
    errors=(403,),
    is_probe=True,
)
async def get_metrics(request: Annotated[Request, Depends(_request)], context: Context) -> Response:
    """The metrics in the text format of Prometheus. Only addresses of OUTRIDER_METRICS_FROM get them."""
    if not may_read(request, context.settings.web.metrics_from, context.settings.web.trusted_proxies):
        raise Denied("metrics are for this machine and the networks of OUTRIDER_METRICS_FROM")
    return Response(await _exposition(context).render(), media_type=CONTENT_TYPE)


def may_read(request: Request, allowed: tuple[str, ...], trusted_proxies: tuple[str, ...]) -> bool:
    """Whether the client is in an allowed network.

    A forwarded request comes from a proxy. If the proxy is not trusted, the client is unknown.
    """
    is_forwarded = any(name in request.headers for name in ("x-forwarded-for", "forwarded", "x-real-ip"))
    if request.client is None or (is_forwarded and not trusted_proxies):
        return False
    try:
        client = ip_address(request.client.host)
    except ValueError:
        return False
    return any(client in ip_network(each, strict=False) for each in allowed)


def _exposition(context: ServerContext) -> Exposition:
    made = context.parts.get("exposition")
    if not isinstance(made, Exposition):
        made = Exposition(context, health_of(context), context.parts.get("shared_metrics"))
        context.parts["exposition"] = made
    return made
