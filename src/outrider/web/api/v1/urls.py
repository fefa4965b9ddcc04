"""`/api/v1/urls/why`: what happened to a URL and what happens next."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import Query

from outrider.auth.model import Role
from outrider.services.urls.explain import explain_url
from outrider.services.urls.explanation import ExplainedUrl
from outrider.web.api.v1.parameters import LONGEST_URL
from outrider.web.dependencies import Context, Db
from outrider.web.router import ApiRouter

router = ApiRouter("frontier")


@router.get(
    "/api/v1/urls/why",
    Role.USER,
    summary="Explain what happened to a URL",
    result=ExplainedUrl,
    errors=(400,),
)
async def get_explanation(
    db: Db,
    context: Context,
    url: Annotated[str, Query(min_length=1, max_length=LONGEST_URL, description="In any spelling.")],
) -> ExplainedUrl:
    """Everything that is known about a URL, and a conclusion in sentences. `known` is null for a new one."""
    settings = context.settings
    depth_cap, traps, now = settings.crawl.depth_cap, settings.traps, datetime.now(UTC)
    return await explain_url(db, url, depth_cap=depth_cap, traps=traps, now=now)
