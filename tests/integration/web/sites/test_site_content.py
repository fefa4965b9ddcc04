"""Events of pages and the inventory of live paths."""

import pytest

EVENTS = "/api/v1/sites/shop/events"
PATHS = "/api/v1/sites/shop/paths"
ABOUT = {"title": "About", "kind": "static", "parent": "/", "status": "draft"}


async def test_an_event_renames_a_page_once(api, shop):
    event = {"kind": "renamed", "path": "/shoes/red", "new_path": "/shoes/crimson", "event_id": "4711"}

    first, again = await api.post(EVENTS, event), await api.post(EVENTS, event)

    assert [each["is_duplicate"] for each in first.json() + again.json()] == [False, True]
    assert await shop.redirects() == {"/shoes/red": "/shoes/crimson"}


async def test_an_event_tells_all_about_its_page(api, shop, db):
    event = {"title": "Hats", "parent": "/shoes", "item_kind": "collection", "status": "published"}

    await api.post(EVENTS, {"kind": "created", "path": "/hats", **event})

    row = await db.fetchrow("SELECT title, parent, kind, status FROM site_path WHERE path = '/hats'")
    assert tuple(row) == ("Hats", "/shoes", "collection", "published")


async def test_a_batch_is_applied_all_or_none(api, shop):
    batch = [{"kind": "deleted", "path": "/about"}, {"kind": "renamed", "path": "/shoes"}]

    refused = await api.post(EVENTS, {"events": batch})
    taken = await api.post(EVENTS, {"events": batch[:1]})

    assert refused.status_code == 400
    assert "event 2" in refused.json()["error"]
    assert taken.status_code == 200
    assert await shop.redirects() == {"/about": "/"}


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({"kind": "exploded", "path": "/a"}, id="an unknown kind"),
        pytest.param({"kind": "created"}, id="no path"),
        pytest.param({"kind": "created", "path": "/a", "colour": "red"}, id="an unknown field"),
        pytest.param({"events": []}, id="no event"),
        pytest.param({"events": [{"kind": "created", "path": "/a"}] * 1001}, id="too many events"),
        pytest.param({"kind": "created", "path": "/a", "title": "x" * 1001}, id="a long title"),
    ],
)
async def test_bad_events_are_refused(api, shop, db, body):
    answer = await api.post(EVENTS, body)

    assert answer.status_code == 422
    assert await db.fetchval("SELECT count(*) FROM site_path WHERE path = '/a'") == 0


async def test_the_inventory_is_replaced_or_added_to(api, shop, other, db):
    await other.has_pages("/theirs")
    await shop.create("/new", "/about")

    merged = await api.call("PUT", f"{PATHS}?merge=true", json={"paths": ["/New/"]})
    replaced = await api.call(
        "PUT", PATHS, json={"paths": ["/", {"path": "/about", **ABOUT, "is_visible": False}]}
    )

    assert (merged.json()["live_paths"], merged.json()["redirects_removed"]) == (5, 1)
    assert replaced.json()["no_longer_live"] == ["/new", "/shoes", "/shoes/red"]
    rows = await db.fetch("SELECT path, title, kind, parent, status, is_visible FROM site_path ORDER BY path")
    assert [tuple(row) for row in rows] == [
        ("/", "", "item", None, "", True),
        ("/about", "About", "static", "/", "draft", False),
        ("/theirs", "", "item", None, "", True),
    ]


@pytest.mark.parametrize(
    ("paths", "status"),
    [(["no slash"], 400), ([{"path": "/a", "kind": "thing"}], 422), ("/a", 422), (["/a\u0000"], 400)],
)
async def test_a_bad_inventory_changes_nothing(api, shop, db, paths, status):
    answer = await api.call("PUT", PATHS, json={"paths": paths})

    assert answer.status_code == status
    assert await db.fetchval("SELECT count(*) FROM site_path") == 4


async def test_an_inventory_may_be_larger_than_other_bodies(api, shop):
    paths = [f"/products/{number:06}" + "x" * 60 for number in range(20_000)]

    answer = await api.call("PUT", PATHS, json={"paths": paths})

    assert answer.json()["live_paths"] == 20_000


async def test_users_may_not_report(api, shop):
    assert (await api.post(EVENTS, {"kind": "created", "path": "/a"}, "user")).status_code == 403
    assert (await api.call("PUT", PATHS, "user", json={"paths": []})).status_code == 403
    assert (await api.call("PUT", "/api/v1/sites/none/paths", json={"paths": []})).status_code == 404
