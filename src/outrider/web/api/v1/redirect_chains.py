"""`/api/v1/redirect-chains`: redirects that workers met (API-103)."""

from outrider.auth.model import Role
from outrider.frontier.redirect_list import RedirectChain, RedirectKind
from outrider.services.paging import CursorPage
from outrider.services.urls.redirect_chains import list_redirect_chains
from outrider.web.api.v1.parameters import HostQuery
from outrider.web.dependencies import CursorPaging, Db
from outrider.web.router import ApiRouter

router = ApiRouter("redirect chains")


@router.get(
    "/api/v1/redirect-chains",
    Role.USER,
    summary="List redirects",
    result=CursorPage[RedirectChain],
    errors=(400,),
)
async def get_redirect_chains(
    db: Db, paging: CursorPaging, host: HostQuery = None, kind: RedirectKind | None = None
) -> CursorPage[RedirectChain]:
    """URLs that answer with a redirect, and where they lead.

    A part of the list covers 2,000 URLs, so it may be short or empty while `next` leads on.
    """
    return await list_redirect_chains(db, kind, host, paging)
