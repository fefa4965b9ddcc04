"""An owned site on a database of its own, and what its owner does."""

from collections.abc import Sequence
from typing import Any

import asyncpg

from outrider.redirects.events import ContentEvent, ContentEventKind, EventResult
from outrider.redirects.monitor import Miss, MissReport
from outrider.services.paging import PageRequest
from outrider.services.sites.content import put_paths, receive_events
from outrider.services.sites.redirects import (
    RedirectDetails,
    RedirectEdit,
    RedirectFilter,
    RedirectRequest,
    change_redirect,
    create_redirect,
    list_redirects,
    remove_redirect,
)
from outrider.services.sites.reports import report_misses, report_views
from outrider.services.sites.sites import SiteChanges, SiteRequest, add_site, change_site
from outrider.sites.model import LivePath

OWNER = "owner"
ALL = PageRequest(limit=10_000)


class SiteOwner:
    """Calls the use cases for one site."""

    def __init__(self, db: asyncpg.Connection, name: str, key: str) -> None:
        self.db, self.name, self.key = db, name, key

    @classmethod
    async def register(cls, db: asyncpg.Connection, name: str = "shop", **settings: Any) -> "SiteOwner":
        request = SiteRequest(name, f"https://{name}.test", settings=settings)
        return cls(db, name, (await add_site(db, request)).key)

    async def tell(self, kind: str, path: str, new_path: str | None = None, **more: Any) -> EventResult:
        event = ContentEvent(ContentEventKind(kind), path, new_path, **more)
        [result] = await receive_events(self.db, self.name, [event], "cms")
        return result

    async def has_pages(self, *pages: str | LivePath) -> None:
        live = [LivePath(page) if isinstance(page, str) else page for page in pages]
        await put_paths(self.db, self.name, live, OWNER, replaces=False)

    async def create(self, from_path: str, to: str | None, status: int = 301, **more: Any) -> RedirectDetails:
        request = RedirectRequest(from_path, to, status, **more)
        return await create_redirect(self.db, self.name, request, OWNER)

    async def edit(self, which: str, to: str, **more: Any) -> RedirectDetails:
        return await change_redirect(self.db, self.name, which, RedirectEdit(to, **more), OWNER)

    async def remove(self, which: str) -> RedirectDetails:
        return await remove_redirect(self.db, self.name, which, OWNER)

    async def redirects(self) -> dict[str, str | None]:
        """Every source with its target."""
        return {each.from_path: each.to for each in await self.listed()}

    async def listed(self) -> Sequence[RedirectDetails]:
        return (await list_redirects(self.db, self.name, RedirectFilter(), ALL)).items

    async def saw(self, **views: int) -> None:
        """Page views; `a__b` stands for /a/b and `a_b` for /a-b."""
        named = {"/" + path.replace("__", "/").replace("_", "-"): count for path, count in views.items()}
        await report_views(self.db, self.name, named)

    async def missed(self, *paths: str) -> MissReport:
        return await report_misses(self.db, self.name, [Miss(path) for path in paths])

    async def set(self, **settings: Any) -> None:
        await change_site(self.db, self.name, SiteChanges(settings=settings), OWNER)
