"""`/api/v1/sites`: owned sites, their settings, keys and badge counts."""

import pytest

NEW = {"name": "shop", "base_url": "https://shop.test", "hosts": ["www.shop.test"]}


async def test_a_site_is_registered_and_its_key_is_shown_once(api, db):
    made = await api.post("/api/v1/sites", NEW | {"settings": {"prune_days": 30}})

    assert made.status_code == 201, made.text
    site, key = made.json()["site"], made.json()["key"]
    assert key.startswith("ork_")
    assert (site["name"], site["hosts"]) == ("shop", ["shop.test", "www.shop.test"])
    assert site["settings"]["prune_days"] == 30
    for path in ("/api/v1/sites", "/api/v1/sites/shop", f"/api/v1/sites/{site['id']}/summary"):
        shown = await api.get(path)
        assert shown.status_code == 200, shown.text
        assert key not in shown.text
    assert await db.fetchval("SELECT key_hash IS NOT NULL FROM site WHERE name = 'shop'")

    moved = {"base_url": "https://new.test", "settings": {"lowercase_paths": False}}
    changed = (await api.call("PATCH", "/api/v1/sites/shop", json=moved)).json()
    assert (changed["base_url"], changed["name"]) == ("https://new.test", "shop")
    assert changed["hosts"] == ["new.test", "shop.test", "www.shop.test"]
    kept = (changed["settings"]["lowercase_paths"], changed["settings"]["prune_days"])
    assert kept == (False, 30), "other settings stay"


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        pytest.param(NEW | {"name": "Shop!"}, 400, "cannot be the name", id="a bad name"),
        pytest.param(NEW | {"base_url": "ftp://shop.test"}, 400, "no base URL", id="a bad address"),
        pytest.param(NEW | {"settings": {"colour": "red"}}, 400, "no setting", id="an unknown setting"),
        pytest.param(NEW | {"settings": {"prune_days": 0}}, 400, "prune_days", id="a value out of range"),
        pytest.param(NEW | {"colour": "red"}, 422, "colour", id="an unknown field"),
        pytest.param({"name": "shop"}, 422, "base_url", id="a missing field"),
    ],
)
async def test_a_site_that_cannot_be_used_is_refused(api, db, body, status, said):
    answer = await api.post("/api/v1/sites", body)

    assert answer.status_code == status
    assert said in answer.text
    assert await db.fetchval("SELECT count(*) FROM site") == 0


async def test_a_name_is_taken_once(api):
    await api.post("/api/v1/sites", NEW)

    again = await api.post("/api/v1/sites", NEW)

    assert again.status_code == 409
    assert "choose another name" in again.json()["error"]


async def test_sites_are_listed_by_name_in_parts(api):
    for name in ("beta", "alpha", "gamma"):
        await api.post("/api/v1/sites", {"name": name, "base_url": f"https://{name}.test"})

    page = (await api.get("/api/v1/sites?limit=2&offset=1")).json()

    assert [each["name"] for each in page["items"]] == ["beta", "gamma"]
    assert (page["total"], page["total_is"]) == (3, "exact")


async def test_a_change_needs_the_state_that_the_caller_saw(api, shop):
    seen = (await api.get("/api/v1/sites/shop")).headers["etag"]
    path = "/api/v1/sites/shop"

    first = await api.call("PATCH", path, json={"settings": {"prune_days": 7}}, headers={"If-Match": seen})
    second = await api.call("PATCH", path, json={"settings": {"prune_days": 9}}, headers={"If-Match": seen})

    assert (first.status_code, second.status_code) == (200, 412)
    assert (await api.get(path)).json()["settings"]["prune_days"] == 7
    assert (await api.call("PATCH", path, json={})).status_code == 400
    assert (await api.call("PATCH", "/api/v1/sites/other", json={"name": "x"})).status_code == 404


async def test_a_site_is_removed_with_everything(api, shop, db):
    await shop.create("/old", "/about")
    await api.call("PUT", "/api/v1/sites/shop/links/nav", json={"links": ["/gone"]})

    removed = await api.call("DELETE", "/api/v1/sites/shop")

    assert removed.status_code == 204
    for table in ("site", "site_redirect", "site_path", "site_link"):
        assert await db.fetchval(f"SELECT count(*) FROM {table}") == 0, table
    assert (await api.call("DELETE", "/api/v1/sites/shop")).status_code == 404


async def test_only_administrators_change_sites(api, shop):
    for method, path, body in (
        ("POST", "/api/v1/sites", NEW | {"name": "other"}),
        ("PATCH", "/api/v1/sites/shop", {"name": "other"}),
        ("DELETE", "/api/v1/sites/shop", None),
        ("POST", "/api/v1/sites/shop/key", None),
    ):
        assert (await api.call(method, path, "user", json=body)).status_code == 403, path
        assert (await api.call(method, path, "anonymous", json=body)).status_code == 401, path
    assert (await api.get("/api/v1/sites", "anonymous")).status_code == 401
    assert (await api.get("/api/v1/sites/shop", "user")).status_code == 200


async def test_the_summary_has_the_badge_counts(api, shop, other):
    await shop.tell("renamed", "/shoes/red", "/shoes/crimson")
    links = ["/gone", "/about", "/shoes/red", "/Shoes/RED"]
    await api.call("PUT", "/api/v1/sites/shop/links/nav", json={"links": links})
    await shop.saw(lost=5, decided=4)
    await shop.missed("/lost", "/decided")
    await shop.create("/decided", "/about")

    found = (await api.get("/api/v1/sites/shop/summary")).json()
    nothing = (await api.get("/api/v1/sites/other/summary")).json()

    badges = ("dead_links", "moved_links", "pending_broken_urls", "live_paths")
    assert [found[name] for name in badges] == [1, 2, 1, 4]
    assert [nothing[name] for name in badges] == [0, 0, 0, 0]


async def test_a_page_behind_the_end_of_a_list_has_the_total(api, shop, other):
    """A client that deletes while it reads page after page must not take the list for an empty one."""
    await shop.create("/a", "/about")
    await shop.create("/b", "/about")
    await shop.saw(lost=5)
    await shop.missed("/lost")
    await api.call("PUT", "/api/v1/sites/shop/links/nav", json={"links": ["/gone"]})
    hook = {"update_webhook": "https://hook.test/x"}
    await api.call("POST", "/api/v1/sites/shop/webhook/secret")
    assert (await api.call("PATCH", "/api/v1/sites/shop", json=hook)).status_code == 200
    assert (await api.call("POST", "/api/v1/sites/shop/webhook/test")).status_code == 202

    totals = {}
    for part in ("", "/shop/redirects", "/shop/broken-urls", "/shop/links", "/shop/webhook/deliveries"):
        behind = (await api.get(f"/api/v1/sites{part}?offset=50")).json()
        totals[part] = (behind["items"], behind["total"], behind["total_is"])

    assert totals == {
        "": ([], 2, "exact"),
        "/shop/redirects": ([], 2, "exact"),
        "/shop/broken-urls": ([], 1, "exact"),
        "/shop/links": ([], 1, "exact"),
        "/shop/webhook/deliveries": ([], 1, "exact"),
    }
    assert (await api.get("/api/v1/sites/other/redirects?offset=50")).json()["total"] == 0
