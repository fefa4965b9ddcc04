"""Rules that hold for every endpoint of the API: paging, fixed paths, times, limits."""

import re
from datetime import datetime, timedelta

import pytest
from tests.support.api import bearer_of, signed_api_on
from tests.support.crawled import make_crawl

from outrider.settings import load
from outrider.web.api.v1.routers import routers_for
from outrider.web.context import ServerContext
from outrider.web.openapi import api_routes
from outrider.web.server import build_app

RFC_3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
LISTS = [
    "/api/v1/frontier",
    "/api/v1/jobs",
    "/api/v1/pages",
    "/api/v1/sources",
    "/api/v1/runs",
    "/api/v1/domains",
]


@pytest.fixture(scope="module")
def routes():
    context = ServerContext(load({}, config=None), None)
    return list(api_routes(build_app(context, routers_for(context))))


@pytest.mark.parametrize("path", LISTS)
async def test_a_list_has_its_total_and_is_bounded(api, path):
    usual = (await api.get(path)).json()

    assert {"items", "total", "total_is", "limit", "offset"} <= set(usual)
    assert (usual["limit"], usual["offset"]) == (50, 0)
    assert (await api.get(f"{path}?limit=250")).status_code == 200
    for wrong in ("limit=251", "limit=0", "offset=-1", "limit=x"):
        answer = await api.get(f"{path}?{wrong}")
        assert (wrong, answer.status_code) == (wrong, 422)


@pytest.mark.parametrize("path", ["/api/v1/frontier", "/api/v1/jobs", "/api/v1/sources"])
async def test_a_list_is_sorted_only_by_what_it_names(api, path):
    answer = await api.get(f"{path}?sort_by=password")

    assert answer.status_code in (400, 422)


def test_no_path_with_an_id_hides_a_fixed_one(routes):
    for number, route in enumerate(routes):
        hidden = [
            later.path
            for later in routes[number + 1 :]
            if "{" not in later.path and later.methods & route.methods and route.path_regex.match(later.path)
        ]
        assert hidden == [], f"{route.path} comes first"


async def test_times_are_rfc_3339_in_utc(api, operator):
    await make_crawl(operator)
    times = [
        text
        for path in (*LISTS, "/health", "/api/v1/workers")
        for text in re.findall(r'"[a-z_]+_at":"([^"]+)"', (await api.get(path)).text)
    ]

    assert len(times) > 10
    assert [each for each in times if not RFC_3339.fullmatch(each)] == []
    assert {datetime.fromisoformat(each).utcoffset() for each in times} == {timedelta()}


async def test_what_does_not_exist_yet_says_so(api):
    answer = await api.post("/api/v1/admin/backfill", {})

    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert "backfill is not part of this version" in answer.json()["error"]


async def test_health_and_metrics_are_never_limited(pool):
    async with signed_api_on(pool, rate_limit_anonymous=1, rate_limit_user=1) as api:
        uma = await bearer_of(api, "uma")
        health = [await api.client.get("/health", headers=uma) for _ in range(5)]
        metrics = [await api.client.get("/metrics", headers=uma) for _ in range(3)]
        limited = [await api.client.get("/api/v1/auth/me", headers=uma) for _ in range(2)]

    assert {each.status_code for each in health} <= {200, 503}
    assert {each.status_code for each in metrics} == {200}
    assert [each.status_code for each in limited] == [200, 429]
