"""The order of routes: fixed paths first, for every method."""

import httpx
import pytest
from fastapi import APIRouter, FastAPI

from outrider.web.path_order import with_other_methods


@pytest.fixture
def app() -> FastAPI:
    """An application whose paths with an id were declared first."""
    router = APIRouter()
    for method, path in (
        ("GET", "/x/{id}"),
        ("DELETE", "/x/{id}"),
        ("GET", "/x/stats"),
        ("POST", "/x/stats"),
        ("GET", "/x/{id}/{part}"),
        ("DELETE", "/x/{id}/{part}"),
        ("GET", "/x/{id}/export"),
        ("PUT", "/y/{key:path}"),
        ("GET", "/y/stats"),
        ("POST", "/y/{id}/check"),
        ("GET", "/y"),
    ):
        router.add_api_route(path, lambda path=path: path, methods=[method], response_model=None)
    made = FastAPI()
    made.router.routes.extend(with_other_methods(router.routes))
    return made


async def test_a_fixed_path_owns_all_methods(app):
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://a.test") as client:
        fixed = await client.get("/x/stats")
        removed = await client.delete("/x/stats")
        other = await client.put("/x/7")
        deep = [await client.request(method, "/x/7/export") for method in ("GET", "DELETE")]

    assert fixed.json() == "/x/stats"
    assert (deep[0].json(), deep[1].status_code) == ("/x/{id}/export", 405)
    assert (removed.status_code, removed.headers["allow"]) == (405, "GET, POST")
    assert (other.status_code, other.headers["allow"]) == (405, "DELETE, GET")


async def test_a_path_has_the_methods_of_a_parameter_above_it(app):
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://a.test") as client:
        saved = [await client.put(path) for path in ("/y/stats", "/y/7/check", "/y/any/where")]
        others = [await client.delete(path) for path in ("/y/stats", "/y/7/check", "/y")]

    assert [each.json() for each in saved] == ["/y/{key:path}"] * 3
    assert [each.headers["allow"] for each in others] == ["GET, PUT", "POST, PUT", "GET"]
