"""A small shop: pages in memory, and a form of its own CMS that tells Outrider what happened to them.

    SHOP_DATABASE_URL=postgresql://… .venv/bin/uvicorn examples.shop.app:from_environment --factory

Register the site first: `outrider site add shop http://127.0.0.1:8000`.
"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html import escape

import asyncpg
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from outrider.db.pool import open_pool
from outrider.redirects.asgi import RedirectMiddleware
from outrider.redirects.events import ContentEvent, ContentEventKind
from outrider.services.sites.content import receive_events
from outrider.sites.slug import slug_of


class Shop:
    """Products by path. Every change is an event for Outrider."""

    def __init__(self, site: str) -> None:
        self.site = site
        self.titles = {"/shoes": "Shoes"}
        self.pool: asyncpg.Pool | None = None

    async def add(self, title: str) -> str:
        path = f"/shoes/{slug_of(title)}"
        self.titles[path] = title
        await self._tell(ContentEvent(ContentEventKind.CREATED, path, title=title, parent="/shoes"))
        return path

    async def rename(self, path: str, title: str) -> str:
        new = f"/shoes/{slug_of(title)}"
        del self.titles[path]
        self.titles[new] = title
        await self._tell(ContentEvent(ContentEventKind.RENAMED, path, new, title=title))
        return new

    async def delete(self, path: str) -> None:
        del self.titles[path]
        await self._tell(ContentEvent(ContentEventKind.DELETED, path))

    async def _tell(self, event: ContentEvent) -> None:
        assert self.pool is not None
        async with self.pool.acquire() as db:
            await receive_events(db, self.site, [event], "shop")


def make_app(database_url: str, site: str = "shop") -> Starlette:
    """The shop as an application."""
    shop = Shop(site)

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        shop.pool = await open_pool(database_url, size=2, application_name="shop")
        async with shop.pool.acquire() as db:
            start = [
                ContentEvent(ContentEventKind.CREATED, path, title=title)
                for path, title in shop.titles.items()
            ]
            await receive_events(db, site, [*start, ContentEvent(ContentEventKind.CREATED, "/")], "shop")
        yield
        shop.pool.terminate()

    async def page(request: Request) -> Response:
        path = request.url.path
        if path == "/":
            links = "".join(
                f'<li><a href="{each}">{escape(title)}</a></li>' for each, title in shop.titles.items()
            )
            return HTMLResponse(f"<h1>Shop</h1><ul>{links}</ul>")
        if path not in shop.titles:
            raise HTTPException(404)
        return HTMLResponse(f"<h1>{escape(shop.titles[path])}</h1>")

    async def change(request: Request) -> Response:
        asked = await request.json()
        match asked:
            case {"add": str(title)}:
                return JSONResponse({"path": await shop.add(title)})
            case {"rename": str(path), "title": str(title)} if path in shop.titles:
                return JSONResponse({"path": await shop.rename(path, title)})
            case {"delete": str(path)} if path in shop.titles:
                await shop.delete(path)
                return JSONResponse({"path": None})
        raise HTTPException(422)

    guard = Middleware(RedirectMiddleware, site=site, database_url=database_url)
    routes = [Route("/cms", change, methods=["POST"]), Route("/{path:path}", page)]
    app = Starlette(routes=routes, middleware=[guard], lifespan=life)
    app.state.shop = shop
    return app


def from_environment() -> Starlette:
    """The application for a server."""
    return make_app(os.environ["SHOP_DATABASE_URL"])
