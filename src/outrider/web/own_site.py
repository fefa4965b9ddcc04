"""A site key is for the addresses of its own site (AUT-18)."""

import asyncpg
from starlette.requests import Request

from outrider.auth.model import Principal
from outrider.errors import Denied, NotFound
from outrider.services.sites.sites import find_site

SITE_PARAMETER = "id"
_SITES = "/api/v1/sites/"


async def check_own_site(request: Request, db: asyncpg.Connection, principal: Principal) -> None:
    """Raise Denied if the caller has the key of another site than the one in the path.

    A site that does not exist is refused in the same way: a key says nothing about other sites.
    """
    if principal.site_id is None:
        return
    path = request.url.path.removeprefix(request.scope.get("root_path", ""))
    named = request.path_params.get(SITE_PARAMETER)
    try:
        is_own = (
            named is not None
            and path.startswith(_SITES)
            and (await find_site(db, named)).site_id == principal.site_id
        )
    except NotFound:
        is_own = False
    if not is_own:
        raise Denied("this key belongs to another site: use the key of the site in the address")
