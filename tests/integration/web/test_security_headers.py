"""What every answer tells browsers, whatever it is an answer to."""

import pytest
from tests.support.api import api_on, bearer_of

from outrider.auth.model import Role
from outrider.web.dependencies import Db
from outrider.web.router import ApiRouter

router = ApiRouter("tests")
EVIL = {"Origin": "https://evil.example"}


async def _break(db: Db) -> None:
    raise RuntimeError("a fault of ours")


router.get("/broken", Role.ANONYMOUS, summary="Break")(_break)

ANSWERS = {
    "an object": ("GET", "/api/v1/workers", 200),
    "nothing there": ("GET", "/nowhere", 404),
    "another method": ("PUT", "/api/v1/workers", 405),
    "a bad parameter": ("GET", "/api/v1/jobs?limit=0", 422),
    "a page": ("GET", "/login", 200),
    "a page that needs a login": ("GET", "/overview", 303),
    "a long address": ("GET", "/api/v1/jobs?search=" + "a" * 20_000, 414),
    "health": ("GET", "/health/live", 200),
    "a preflight": ("OPTIONS", "/api/v1/jobs", 405),
}


@pytest.mark.parametrize("name", ANSWERS)
async def test_every_answer_has_the_security_headers_and_opens_nothing_to_other_sites(signed_api, name):
    method, path, status = ANSWERS[name]
    signed_in = {} if path in ("/login", "/overview") else await bearer_of(signed_api, "ada")
    asked = EVIL | {"Access-Control-Request-Method": "POST"} | signed_in
    answer = await signed_api.client.request(method, path, headers=asked)

    assert answer.status_code == status
    assert_safe(answer)
    assert "strict-transport-security" not in answer.headers, "not over http"


async def test_over_https_browsers_are_told_to_stay_there(signed_api):
    answer = await signed_api.client.get("https://outrider.test/health/live")

    assert answer.headers["strict-transport-security"] == "max-age=31536000"


async def test_an_unexpected_error_has_the_id_and_the_headers_of_every_answer(pool):
    api = api_on(pool, routers=[router])
    async with api.client:
        answer = await api.get("/broken", headers={"X-Request-ID": "find-me", **EVIL})

    assert (answer.status_code, answer.json()["code"]) == (500, "error")
    assert "a fault of ours" not in answer.text
    assert answer.headers["x-request-id"] == "find-me", "the sentence says that the log has it under this id"
    assert_safe(answer)


def assert_safe(answer) -> None:
    """The headers of SEC-07, and none of CORS (SEC-08)."""
    headers = answer.headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert [name for name in headers if name.startswith("access-control-")] == []
