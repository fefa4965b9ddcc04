"""The middleware around Starlette, FastAPI, Litestar, Django and a WSGI application."""

import asyncio
import io
from collections.abc import Callable
from typing import Any

import django
import pytest
from django.conf import settings as django_settings
from django.core.asgi import get_asgi_application
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse
from django.urls import path as django_path
from fastapi import FastAPI
from fastapi.responses import HTMLResponse
from litestar import Litestar, MediaType, get
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse as StarletteHtml
from starlette.routing import Route
from tests.support.asgi import AGENT, Answer, ask, running, until
from tests.support.sites import ALL, SiteOwner

from outrider.redirects.asgi import RedirectMiddleware
from outrider.redirects.wsgi import WsgiRedirectMiddleware
from outrider.services.sites.broken_urls import list_broken

PAGE = "<h1>Page</h1>"
urlpatterns = [django_path("page", lambda request: HttpResponse(PAGE))]


def starlette_app(dsn: str) -> Any:
    guard = Middleware(RedirectMiddleware, site="shop", database_url=dsn)
    return Starlette(routes=[Route("/page", lambda request: StarletteHtml(PAGE))], middleware=[guard])


def fastapi_app(dsn: str) -> Any:
    app = FastAPI()
    app.get("/page", response_class=HTMLResponse)(lambda: PAGE)
    app.add_middleware(RedirectMiddleware, site="shop", database_url=dsn)
    return app


def litestar_app(dsn: str) -> Any:
    @get("/page", media_type=MediaType.HTML)
    async def page() -> str:
        return PAGE

    return RedirectMiddleware(Litestar([page]), site="shop", database_url=dsn)


def set_up_django(dsn: str = "", *, own_middleware: bool) -> None:
    if not django_settings.configured:
        django_settings.configure(ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, SECRET_KEY="test")
        django.setup()
    named = "outrider.redirects.django.DjangoRedirectMiddleware"
    django_settings.MIDDLEWARE = [named] if own_middleware else []
    django_settings.OUTRIDER_SITE, django_settings.OUTRIDER_DATABASE_URL = "shop", dsn


def django_app(dsn: str) -> Any:
    set_up_django(own_middleware=False)
    return RedirectMiddleware(get_asgi_application(), site="shop", database_url=dsn)


def django_with_its_middleware(dsn: str) -> Any:
    set_up_django(dsn, own_middleware=True)
    return get_asgi_application()


async def check(shop: SiteOwner, ask_app: Callable[..., Any]) -> None:
    """A rename is followed, pages are served and counted, and the loss of a page is noticed."""

    async def arrives() -> bool:
        return (await ask_app("/old?x=1")).status == 301

    await until(arrives, "the redirect is loaded")
    assert (await ask_app("/old?x=1")).location == "/page?x=1"
    assert (await ask_app("/PAGE/?x=1")).location == "/page?x=1"
    answer = await ask_app("/page")
    assert (answer.status, answer.body) == (200, PAGE.encode())
    assert (await ask_app("/lost")).status == 404

    async def is_reported() -> bool:
        views = await shop.db.fetchval("SELECT views FROM site_view WHERE path = '/page'")
        broken = (await list_broken(shop.db, shop.name, ALL)).items
        return bool(views) and [each.path for each in broken] == ["/lost"]

    await until(is_reported, "views and 404s are reported")


@pytest.fixture
async def moved(shop: SiteOwner) -> SiteOwner:
    await shop.create("/old", "/page")
    await shop.saw(lost=3)
    return shop


@pytest.mark.parametrize("make", [starlette_app, fastapi_app, litestar_app], ids=lambda make: make.__name__)
async def test_an_asgi_framework(moved: SiteOwner, database: str, make: Callable[[str], Any]):
    async with running(make(database)) as app:
        await check(moved, lambda url: ask(app, url))


@pytest.mark.parametrize("make", [django_app, django_with_its_middleware], ids=lambda make: make.__name__)
async def test_django_on_asgi(moved: SiteOwner, database: str, make: Callable[[str], Any]):
    """Django has no lifespan: the thread starts with the first request."""
    app = make(database)
    await check(moved, lambda url: ask_waiting(app, url))


async def ask_waiting(app: Any, url: str) -> Answer:
    """Django wants a client that stays until the answer is whole."""

    async def patient(scope: Any, receive: Any, send: Any) -> None:
        asked = False

        async def once() -> Any:
            nonlocal asked
            if asked:
                await asyncio.Event().wait()
            asked = True
            return await receive()

        await app(scope, once, send)

    return await ask(patient, url)


def wsgi_page(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    found = environ["PATH_INFO"] == "/page"
    start_response("200 OK" if found else "404 Not Found", [("Content-Type", "text/html")])
    return [PAGE.encode()]


def call_wsgi(app: Any, url: str, method: str = "GET") -> Answer:
    path, _, query = url.partition("?")
    environ = {
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "HTTP_USER_AGENT": AGENT,
        "SERVER_NAME": "shop.test",
        "SERVER_PORT": "80",
        "wsgi.input": io.BytesIO(),
        "wsgi.url_scheme": "http",
    }
    begun: list[Any] = []
    body = b"".join(app(environ, lambda status, headers, *_: begun.append((status, headers))))
    [(status, headers)] = begun
    return Answer(int(status[:3]), {name.lower(): value for name, value in headers}, body)


async def test_a_wsgi_application(moved: SiteOwner, database: str):
    app = WsgiRedirectMiddleware(wsgi_page, site="shop", database_url=database)

    async def ask_app(url: str) -> Answer:
        return await asyncio.to_thread(call_wsgi, app, url)

    try:
        assert (await asyncio.to_thread(call_wsgi, app, "/page", "HEAD")).status == 200
        await check(moved, ask_app)
    finally:
        await asyncio.to_thread(app.service.follower.stop)
    views = await moved.db.fetchval("SELECT views FROM site_view WHERE path = '/page'")
    assert views == 1, "HEAD is no view"


async def test_django_on_wsgi(moved: SiteOwner, database: str):
    set_up_django(database, own_middleware=True)
    app = await asyncio.to_thread(get_wsgi_application)

    async def ask_app(url: str) -> Answer:
        return await asyncio.to_thread(call_wsgi, app, url)

    await check(moved, ask_app)
