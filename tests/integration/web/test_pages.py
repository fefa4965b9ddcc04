"""Pages answer people: they lead to the sign-in, say what is wrong, and escape what was crawled."""

import httpx
from starlette.responses import Response
from tests.support.api import ORIGIN

from outrider.auth.model import Role
from outrider.web.api.v1.routers import routers_for
from outrider.web.dashboard.missing_pages import add_missing_pages
from outrider.web.dashboard.pages import PageRouter
from outrider.web.dashboard.rendering import cut, href
from outrider.web.dashboard.routers import PAGES
from outrider.web.server import build_app


async def test_a_reader_who_is_not_signed_in_is_led_to_the_sign_in_and_back(api):
    answer = await api.get("/overview?since=1", role="anonymous")

    assert answer.status_code == 303
    assert answer.headers["location"] == "/login?next=%2Foverview%3Fsince%3D1"


async def test_the_front_page_leads_to_the_overview(api):
    answer = await api.get("/")

    assert (answer.status_code, answer.headers["location"]) == (303, "/overview")


async def test_the_overview_shows_the_menu_of_the_role(api):
    user, admin = await api.get("/overview"), await api.get("/overview", role="admin")

    assert user.status_code == admin.status_code == 200
    assert 'href="/jobs"' in user.text
    assert 'href="/users"' not in user.text
    assert 'href="/users"' in admin.text


def test_only_web_addresses_are_links():
    assert href("https://example.com/") == "https://example.com/"
    assert href("javascript:alert(1)") is None
    assert href(" http://example.com/") is None


def test_a_text_is_cut_and_keeps_no_control_characters():
    assert cut("x" * 200, 10) == "x" * 9 + "…"
    assert cut("a‮b\nc") == "a�b�c"


def _client(context, *routers):
    app = build_app(context, routers_for(context), routers or PAGES)
    add_missing_pages(app)
    return httpx.AsyncClient(transport=httpx.ASGITransport(app, raise_app_exceptions=False), base_url=ORIGIN)


async def test_an_address_without_a_page_is_a_page_for_people_and_an_error_for_programs(api):
    browser = {"Accept": "text/html,application/xhtml+xml"}
    async with _client(api.context) as client:
        person = await client.get("/no-such-page", headers=browser)
        program = await client.get("/no-such-page")
        wrong_call = await client.get("/api/v1/no-such-path", headers=browser)

    assert person.status_code == program.status_code == wrong_call.status_code == 404
    assert "Nothing is here" in person.text
    assert 'href="/overview"' in person.text
    assert program.json()["code"] == wrong_call.json()["code"] == "no_such_path"


async def test_an_unexpected_error_of_a_page_is_a_page(api):
    router = PageRouter()

    @router.get("/fails", Role.ANONYMOUS)
    async def fail() -> Response:
        raise RuntimeError("a secret of the server")

    async with _client(api.context, router) as client:
        answer = await client.get("/fails")

    assert answer.status_code == 500
    assert "This does not work at the moment" in answer.text
    assert "a secret of the server" not in answer.text
