"""Links in the content of a site over the API."""

from urllib.parse import quote

import pytest
from tests.support.sites import SiteOwner

BASE = "/api/v1/sites/shop/links"


async def save(api, *links, field="nav.main", **more):
    path = f"{BASE}/{quote(field, safe='')}"
    return await api.call("PUT", path, json={"links": list(links), **more})


async def links_of(api, query=""):
    found = (await api.get(f"{BASE}{query}")).json()["items"]
    return {each["url"]: (each["status"], each["reason"], each["moved_to"]) for each in found}


async def test_links_within_the_site_are_judged_in_the_answer(api, shop, db):
    await shop.tell("hidden", "/about")
    await shop.tell("renamed", "/shoes/red", "/shoes/crimson")
    saved = await save(
        api, "/", "/Shoes/", "/about", "/shoes/red", "/shoes/none", "/hats/one", "/none", "https://a.test/x"
    )

    assert saved.status_code == 200, saved.text
    found = {each["url"]: (each["status"], each["reason"]) for each in saved.json()["links"]}
    assert found == {
        "/": ("ok", "live_path"),
        "/Shoes": ("ok", "live_path"),
        "/about": ("dead", "item_hidden"),
        "/shoes/red": ("moved", "item_renamed"),
        "/shoes/none": ("dead", "item_not_found"),
        "/hats/one": ("dead", "collection_not_found"),
        "/none": ("dead", "no_route"),
        "https://a.test/x": ("unchecked", None),
    }
    assert saved.json()["queued"] == 1
    assert await db.fetchval("SELECT count(*) FROM url WHERE url = 'https://a.test/x'") == 1


async def test_a_link_to_any_host_of_the_site_is_within_the_site(api, shop):
    await api.call("PATCH", "/api/v1/sites/shop", json={"hosts": ["shop.test", "www.shop.test:8080"]})

    saved = await save(
        api, "http://shop.test/about", "https://www.shop.test:8080/none", "https://www.shop.test/about"
    )

    assert {each["url"]: each["status"] for each in saved.json()["links"]} == {
        "/about": "ok",
        "/none": "dead",
        "https://www.shop.test/about": "unchecked",
    }


async def test_a_site_without_an_inventory_has_no_dead_links(api, db):
    await SiteOwner.register(db, "fresh")

    saved = await api.call("PUT", "/api/v1/sites/fresh/links/nav", json={"links": ["/a"]})

    assert saved.json()["links"][0]["status"] == "unchecked"


async def test_events_of_pages_change_the_links_to_them(api, shop):
    await shop.has_pages("/größe")
    saved = (await save(api, "/About", "/shoes/red", "/shoes", "/boots/red", "/größe")).json()["links"]

    await api.post("/api/v1/sites/shop/events", {"kind": "deleted", "path": "/about"})
    await api.post("/api/v1/sites/shop/events", {"kind": "renamed", "path": "/größe", "new_path": "/maße"})
    assert (await links_of(api))["/boots/red"] == ("dead", "collection_not_found", None)
    await api.post(
        "/api/v1/sites/shop/events", {"kind": "collection_renamed", "path": "/shoes", "new_path": "/boots"}
    )
    assert await links_of(api) == {
        "/About": ("dead", "item_not_found", None),
        "/gr%C3%B6%C3%9Fe": ("moved", "item_renamed", "/maße"),
        "/shoes": ("moved", "item_renamed", "/boots"),
        "/shoes/red": ("moved", "item_renamed", "/boots/red"),
        "/boots/red": ("ok", "live_path", None),
    }
    await api.post(f"{BASE}/{saved[0]['id']}/ignore")
    await api.post("/api/v1/sites/shop/events", {"kind": "created", "path": "/about"})
    assert (await links_of(api))["/About"] == ("ok", "live_path", None), "it is no longer ignored"
    await api.call("PUT", "/api/v1/sites/shop/paths", json={"paths": ["/", "/shoes"]})
    assert await links_of(api, "?status=ok") == {"/shoes": ("ok", "live_path", None)}


@pytest.mark.parametrize("field", ["nav.main", "footer", "banner", "page:/x#body", "synced:7", "hero"])
async def test_a_changed_item_changes_the_links_of_every_kind_of_field(api, shop, field):
    await save(api, "/about", field=field)

    await shop.tell("hidden", "/about")
    assert await links_of(api) == {"/about": ("dead", "item_hidden", None)}
    await shop.tell("shown", "/about")
    assert await links_of(api) == {"/about": ("ok", "live_path", None)}
    await shop.tell("renamed", "/about", "/us")
    assert await links_of(api) == {"/about": ("moved", "item_renamed", "/us")}
    await shop.tell("renamed", "/us", "/about")
    assert await links_of(api) == {"/about": ("ok", "live_path", None)}


async def test_the_kind_of_a_field_is_given_or_told_by_its_name(api, shop):
    told = (await save(api, "https://a.test/x", field="social.a")).json()["links"][0]
    given = (await save(api, "https://a.test/x", field="social.b", kind="synced")).json()["links"][0]
    again = (await save(api, "https://a.test/x", field="social.b")).json()["links"][0]

    assert [each["kind"] for each in (told, given, again)] == ["social", "synced", "social"]
    assert (await save(api, "/a", kind="rendered")).status_code == 400
    assert (await save(api, "/a", kind="loud")).status_code == 422


async def test_e_mail_addresses_are_judged_by_their_format_and_by_nothing_else(api, shop, db):
    addresses = ("info@shop.test", "info(at)shop.test", "https://shop.test/contact")
    saved = await save(api, *addresses, field="settings.contact_email")

    found = {
        "info@shop.test": ("ok", "email_format", None),
        "info(at)shop.test": ("dead", "bad_email", None),
        "https://shop.test/contact": ("dead", "bad_email", None),
    }
    assert saved.json()["queued"] == 0
    assert await links_of(api) == found
    await shop.has_pages("/more")
    assert await links_of(api) == found, "an inventory changes nothing about them"
    assert await db.fetchval("SELECT count(*) FROM url") == 0


async def test_a_field_with_a_path_in_its_name_is_replaced(api, shop):
    await save(api, "/none", "/about", field="page:/x#body")
    again = await save(api, "/about", field="page:/x#body", edit_url="https://cms.test/x")

    assert again.json()["source_key"] == "page:/x#body"
    assert [each["edit_url"] for each in again.json()["links"]] == ["https://cms.test/x"]
    assert await links_of(api) == {"/about": ("ok", "live_path", None)}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        pytest.param({"links": [f"/{number}" for number in range(1_001)]}, 400, id="too many"),
        pytest.param({"links": ["/" + "x" * 2_001]}, 400, id="too long"),
        pytest.param({"links": "/a"}, 422, id="a text"),
        pytest.param({"links": ["/a"], "edit_url": "javascript:alert(1)"}, 422, id="a script as edit page"),
        pytest.param({"hrefs": ["/a"]}, 422, id="an unknown field"),
    ],
)
async def test_a_bad_field_is_refused(api, shop, db, body, status):
    answer = await api.call("PUT", f"{BASE}/nav", json=body)

    assert answer.status_code == status
    assert await db.fetchval("SELECT count(*) FROM site_link") == 0


async def test_the_list_has_dead_links_first_and_filters(api, shop, other):
    theirs = {"links": ["/theirs", "https://b.test/x"]}
    await api.call("PUT", "/api/v1/sites/other/links/nav.main", json=theirs)
    await shop.tell("renamed", "/shoes/red", "/shoes/crimson")
    await save(api, "/about", "/shoes/red", "/none", "https://a.test/x")

    assert list(await links_of(api)) == ["/none", "/shoes/red", "https://a.test/x", "/about"]
    assert list(await links_of(api, "?type=external")) == ["https://a.test/x"]
    assert list(await links_of(api, "?status=dead")) == ["/none"]
    totals = [
        (await api.get(f"{BASE}?{query}")).json()["total"] for query in ("status=dead", "type=internal")
    ]
    assert totals == [1, 3]
    page = (await api.get(f"{BASE}?limit=1&offset=3")).json()
    assert ([each["url"] for each in page["items"]], page["total"]) == (["/about"], 4)
    assert (await api.get(f"{BASE}?status=sad")).status_code == 422


async def test_an_ignored_link_leaves_the_badge(api, shop):
    saved = (await save(api, "/none")).json()["links"][0]

    ignored = await api.post(f"{BASE}/{saved['id']}/ignore")

    assert ignored.json()["is_ignored"] is True
    assert (await api.get("/api/v1/sites/shop/summary")).json()["dead_links"] == 0
    assert await links_of(api) == {}
    assert list(await links_of(api, "?ignored=true")) == ["/none"]
    await api.post(f"{BASE}/{saved['id']}/ignore", {"ignored": False})
    assert list(await links_of(api)) == ["/none"]


async def test_an_external_link_is_checked_next(api, shop, db):
    inside, outside = (await save(api, "/none", "https://a.test/x")).json()["links"]

    await db.execute("UPDATE url SET next_fetch_at = now() + interval '5 days'")
    queued = await api.post(f"{BASE}/{outside['id']}/check")
    refused = await api.post(f"{BASE}/{inside['id']}/check")

    assert queued.status_code == 202
    row = await db.fetchrow("SELECT next_fetch_at <= now(), prio FROM url WHERE url = 'https://a.test/x'")
    assert tuple(row) == (True, 8), "it is due now, and before all others"
    assert refused.status_code == 409
    assert (await api.post(f"{BASE}/999/check")).status_code == 404


async def test_links_of_another_site_are_out_of_reach(api, shop, other, db):
    inside, outside = (await save(api, "/none", "https://a.test/x")).json()["links"]
    await api.post(f"{BASE}/{inside['id']}/apply", {"to": "/about"})
    await db.execute("UPDATE url SET next_fetch_at = now() + interval '5 days'")
    base = BASE.replace("/shop/", "/other/")

    for verb, body in (("check", None), ("ignore", None), ("apply", {"to": "/theirs"})):
        assert (await api.post(f"{base}/{outside['id']}/{verb}", body)).status_code == 404, verb
    assert (await api.get(f"{base}/{outside['id']}")).status_code == 404
    assert (await api.get(f"{base}/updates")).json() == []
    assert list(await links_of(api)) == ["/none", "https://a.test/x"]
    assert not await db.fetchval("SELECT next_fetch_at <= now() FROM url")


async def test_a_replacement_waits_until_the_field_is_saved(api, shop, db):
    await shop.tell("renamed", "/shoes/red", "/shoes/crimson")
    saved = {each["url"]: each["id"] for each in (await save(api, "/shoes/red", "/none")).json()["links"]}

    applied = await api.post(f"{BASE}/{saved['/shoes/red']}/apply")
    without = await api.post(f"{BASE}/{saved['/none']}/apply")
    chosen = await api.post(f"{BASE}/{saved['/none']}/apply", {"to": "https://b.test/"})

    assert (applied.status_code, applied.json()["replacement"]) == (200, "/shoes/crimson")
    assert (without.status_code, chosen.status_code) == (409, 200)
    told = await db.fetch("SELECT payload FROM event_log WHERE kind = 'link.update_requested' ORDER BY id")
    assert [(each["payload"]["url"], each["payload"]["replacement"]) for each in told] == [
        ("/shoes/red", "/shoes/crimson"),
        ("/none", "https://b.test/"),
    ]
    assert [each["url"] for each in (await api.get(f"{BASE}/updates")).json()] == ["/shoes/red", "/none"]
    await save(api, "/shoes/crimson", "/none")
    assert [each["url"] for each in (await api.get(f"{BASE}/updates")).json()] == ["/none"]


async def test_a_link_is_shown_with_its_checks(api, shop):
    saved = (await save(api, "/none")).json()["links"][0]

    found = (await api.get(f"{BASE}/{saved['id']}")).json()

    assert (found["link"]["url"], found["checks"]) == ("/none", [])
    assert found["link"]["why"] == "the site has no page at this path"
    assert (await api.get(f"{BASE}/999")).status_code == 404


async def test_users_look_and_administrators_act(api, shop):
    saved = (await save(api, "https://a.test/x")).json()["links"][0]

    assert (await api.get(BASE, "user")).status_code == 200
    assert (await api.call("PUT", f"{BASE}/nav", "user", json={"links": []})).status_code == 403
    for verb in ("check", "ignore", "apply"):
        path = f"{BASE}/{saved['id']}/{verb}"
        assert (await api.post(path, None, "user")).status_code == 403
        assert (await api.post(path, None, "anonymous")).status_code == 401
