"""`/api/internal/v1/fetch`: a page for programs that have the internal secret (API-82).

The route exists only where the secret is set: see `routers_for`.
"""

from typing import Annotated

from pydantic import Field

from outrider.auth.model import Role
from outrider.services.fetch.internal import FetchedContent, fetch_content
from outrider.urls import normalize
from outrider.web.dependencies import Context, RequestBody
from outrider.web.router import ApiRouter
from outrider.web.site_requests import site_requests

router = ApiRouter("internal")

USUAL_S, LONGEST_S = 15.0, 30.0


class InternalFetchBody(RequestBody):
    """A page to fetch."""

    url: Annotated[str, Field(min_length=1, max_length=8_000)]
    timeout: Annotated[float, Field(gt=0, le=LONGEST_S, description="Seconds for everything.")] = USUAL_S


@router.post(
    "/api/internal/v1/fetch",
    Role.SERVICE,
    summary="Fetch a page and return its content",
    result=FetchedContent,
    action="internal.fetch",
    needs_database=False,
    errors=(400, 401, 403, 409, 422, 503),
)
async def post_internal_fetch(context: Context, body: InternalFetchBody) -> FetchedContent:
    """Robots.txt, the delay of the host and the rules about private addresses apply. Stores nothing."""
    url = normalize(body.url)
    async with site_requests(context, [url], longest_s=body.timeout) as fetch_one:
        return await fetch_content(fetch_one, url)
