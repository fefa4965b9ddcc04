"""Use cases of broken URLs: review, resolve and ignore them (API-94 to API-96)."""

import asyncpg

from outrider.errors import Conflict, InvalidInput
from outrider.redirects.broken_store import BrokenStatus, BrokenStore, BrokenUrl
from outrider.redirects.store import Author, RedirectStore
from outrider.services.paging import ListPage, PageRequest
from outrider.services.sites.redirects import RedirectRequest, create_for
from outrider.sites.store import SiteStore


async def list_broken(
    db: asyncpg.Connection,
    named: str,
    page: PageRequest,
    status: BrokenStatus | None = BrokenStatus.PENDING,
) -> ListPage[BrokenUrl]:
    """Broken URLs, those that lost the most visitors first, with their suggestions."""
    page = page.checked()
    async with db.transaction():
        site = await SiteStore().find(db, named)
        found, total = await BrokenStore().page(db, site.site_id, status, page.limit, page.offset)
    return ListPage(found, total, page.limit, page.offset)


async def resolve_broken(
    db: asyncpg.Connection, named: str, broken_id: int, to: str | None, by: str, *, may_leave: bool = False
) -> BrokenUrl:
    """Redirect a broken URL: to the target, or without one to the best suggestion."""
    store = BrokenStore()
    async with db.transaction():
        site = await SiteStore().find(db, named)
        await RedirectStore().lock(db, site.site_id)
        row = await store.by_id(db, site.site_id, broken_id)
        if row.status is BrokenStatus.RESOLVED:
            raise Conflict(f"{row.path} is resolved already")
        if to is None and not row.suggestions:
            raise InvalidInput(f"there is no suggestion for {row.path}: give a target")
        target = to if to is not None else row.suggestions[0].path
        await store.unignore(db, site.site_id, broken_id)
        request = RedirectRequest(row.path, target, may_leave=may_leave, why="a broken URL was resolved")
        await create_for(db, site, request, Author(by))
        return await store.by_id(db, site.site_id, broken_id)


async def ignore_broken(db: asyncpg.Connection, named: str, broken_id: int) -> BrokenUrl:
    """Remember that a broken URL does not matter: further 404s do not reopen it."""
    async with db.transaction():
        site = await SiteStore().find(db, named)
        return await BrokenStore().ignore(db, site.site_id, broken_id)
