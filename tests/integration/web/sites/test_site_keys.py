"""Programs of a site prove themselves by its key, which opens that site only (AUT-18)."""

import pytest
from tests.support.api import bearer_of
from tests.support.sites import SiteOwner

from outrider.auth.model import Role
from outrider.web.api.v1.routers import ROUTERS

READS = ("resolve?path=/old", "redirects/export", "links/updates")
REPORTS = {
    "events": {"kind": "created", "path": "/new"},
    "redirects/hits": {"hits": {"/old": 1}},
    "views": {"views": {"/about": 1}},
    "not-found": {"paths": [{"path": "/lost"}]},
}
PUTS = {"paths": {"paths": ["/"]}, "links/nav": {"links": ["/"]}}
CALLS = [
    *(("GET", path, None) for path in READS),
    *(("POST", path, body) for path, body in REPORTS.items()),
    *(("PUT", path, body) for path, body in PUTS.items()),
]


def bearer(key):
    return {"Authorization": f"Bearer {key}"}


async def call(keyed, method, path, body, headers):
    return await keyed.client.request(method, f"/api/v1/sites/{path}", json=body, headers=headers)


@pytest.mark.parametrize(("method", "path", "body"), CALLS)
async def test_a_key_opens_its_own_site_and_no_other(keyed, shop, db, method, path, body):
    other = await SiteOwner.register(db, "other")

    own = await call(keyed, method, f"shop/{path}", body, bearer(shop.key))
    by_header = await call(keyed, method, f"shop/{path}", body, {"X-Site-Key": shop.key})
    foreign = await call(keyed, method, f"shop/{path}", body, bearer(other.key))
    nowhere = await call(keyed, method, f"none/{path}", body, bearer(shop.key))
    wrong = await call(keyed, method, f"shop/{path}", body, bearer("ork_" + "x" * 43))
    without = await call(keyed, method, f"shop/{path}", body, {})

    assert own.status_code == by_header.status_code == 200, own.text
    assert foreign.status_code == nowhere.status_code == 403
    assert foreign.json() == nowhere.json()
    assert "another site" in foreign.json()["error"]
    assert wrong.status_code == without.status_code == 401


def test_every_call_that_takes_a_key_is_tried():
    """A route that a site key opens, and that is not in CALLS, fails here."""
    found = {
        (method, route.path.removeprefix("/api/v1/sites/{id}/").replace("{source_key:path}", "nav"))
        for router in ROUTERS
        for route in router.routes.routes
        if Role.SITE in (access := route.endpoint.access).also or access.role is Role.SITE
        for method in route.methods
    }
    assert found == {(method, path.partition("?")[0]) for method, path, _ in CALLS}


async def test_the_number_of_the_site_is_its_name_too(keyed, shop, db):
    other = await SiteOwner.register(db, "other")
    number = await db.fetchval("SELECT site_id FROM site WHERE name = 'shop'")

    assert (await call(keyed, "GET", f"{number}/redirects/export", None, bearer(shop.key))).status_code == 200
    assert (
        await call(keyed, "GET", f"{number}/redirects/export", None, bearer(other.key))
    ).status_code == 403


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/v1/sites"),
        ("GET", "/api/v1/sites/shop"),
        ("GET", "/api/v1/sites/shop/redirects"),
        ("GET", "/api/v1/sites/shop/broken-urls"),
        ("GET", "/api/v1/sites/shop/links"),
        ("GET", "/api/v1/sites/shop/summary"),
        ("POST", "/api/v1/sites/shop/redirects"),
        ("POST", "/api/v1/sites/shop/key"),
        ("DELETE", "/api/v1/sites/shop"),
        ("GET", "/api/v1/jobs"),
        ("GET", "/overview"),
    ],
)
async def test_a_key_opens_nothing_else(keyed, shop, method, path):
    answer = await keyed.client.request(method, path, headers=bearer(shop.key))

    assert answer.status_code == 403


async def test_reports_are_for_programs_of_the_site_only(keyed, shop):
    admin = await bearer_of(keyed, "ada")

    for path in ("redirects/hits", "views", "not-found"):
        assert (await call(keyed, "POST", f"shop/{path}", REPORTS[path], admin)).status_code == 403
    assert (await call(keyed, "POST", "shop/events", REPORTS["events"], admin)).status_code == 200


async def test_an_old_key_ends_with_its_grace(keyed, shop):
    admin = await bearer_of(keyed, "ada")
    path = "/api/v1/sites/shop/key"

    second = (await keyed.client.post(path, json={"grace_s": 60}, headers=admin)).json()["key"]
    for key in (shop.key, second):
        assert (await call(keyed, "GET", "shop/redirects/export", None, bearer(key))).status_code == 200
    third = (await keyed.client.post(path, json={"grace_s": 0}, headers=admin)).json()["key"]

    for key, status in ((shop.key, 401), (second, 401), (third, 200)):
        assert (await call(keyed, "GET", "shop/redirects/export", None, bearer(key))).status_code == status
    too_long = await keyed.client.post(path, json={"grace_s": 1e9}, headers=admin)
    assert too_long.status_code == 422


async def test_reports_leave_no_line_in_the_audit_log(keyed, shop, db):
    for path in ("redirects/hits", "views", "not-found"):
        await call(keyed, "POST", f"shop/{path}", REPORTS[path], bearer(shop.key))
    await call(keyed, "PUT", "shop/paths", PUTS["paths"], bearer(shop.key))

    rows = await db.fetch("SELECT action FROM audit WHERE action LIKE 'site.%'")
    assert [row["action"] for row in rows] == ["site.paths"]
