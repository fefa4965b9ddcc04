"""The use case of redirects that were met while crawling: moves, chains and loops, by host (API-103)."""

from uuid import UUID

import asyncpg

from outrider.frontier.normalisation import FIRST
from outrider.frontier.redirect_list import RedirectChain, RedirectKind, list_redirects
from outrider.services.cursor import read_cursor, write_cursor
from outrider.services.paging import CursorPage, PageRequest, TotalIs
from outrider.urls import UrlKey, host_id_of

MOST_CHAINS = 1_000


async def list_redirect_chains(
    db: asyncpg.Connection, kind: RedirectKind | None, host: str | None, page: PageRequest
) -> CursorPage[RedirectChain]:
    """Redirects in the order of their keys; raises InvalidInput for a wrong cursor.

    A call examines a bounded number of entries, so a part may be short or empty and have a next one.
    """
    page, after = page.checked(MOST_CHAINS, most_offset=0), FIRST
    place = f"redirects {kind}"
    if page.cursor is not None:
        host_id, url_hash = read_cursor(page.cursor, place, (int, UUID))
        after = UrlKey(host_id, url_hash.hex)
    async with db.transaction():
        wanted = None if host is None else host_id_of(host)
        found, following = await list_redirects(db, kind, wanted, after, page.limit)
    return CursorPage(
        found,
        len(found),
        page.limit,
        0,
        TotalIs.EXACT if page.cursor is None and following is None else TotalIs.AT_LEAST,
        None if following is None else write_cursor(place, (following.host_id, UUID(following.hash))),
    )
