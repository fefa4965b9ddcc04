"""Redirects of a site over the API: list, create, change, delete, resolve, export and import."""

import asyncio
import json

import pytest
from tests.support.held_calls import HeldCall
from tests.support.sites import SiteOwner

from outrider.redirects.formats.registry import write_file
from outrider.services.sites.reports import report_hits

BASE = "/api/v1/sites/shop/redirects"


async def test_a_redirect_is_created_changed_and_deleted(api, shop, other):
    made = await api.post(BASE, {"from_path": "/Sale/", "to": "/shoes"})
    path = f"{BASE}/{made.json()['id']}"
    coded = (await api.call("PATCH", path, json={"status": 302})).json()
    moved = (await api.call("PATCH", path, json={"to": "/about"})).json()
    theirs = path.replace("/shop/", "/other/")

    assert made.status_code == 201
    assert (made.json()["from_path"], made.json()["source"]) == ("/sale", "admin")
    assert made.json()["status"] == 301
    assert (coded["to"], coded["status"]) == ("/shoes", 302)
    assert (moved["to"], moved["status"]) == ("/about", 302)
    assert (await api.call("PATCH", path, json={})).status_code == 400
    assert (await api.call("PATCH", theirs, json={"to": "/x"})).status_code == 404
    assert (await api.call("DELETE", theirs)).status_code == 404
    assert await shop.redirects() == {"/sale": "/about"}
    assert (await api.call("DELETE", path)).status_code == 204
    assert await shop.redirects() == {}
    assert (await api.call("DELETE", path)).status_code == 404
    assert (await api.call("PATCH", path, json={"to": "/about"})).status_code == 404


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        pytest.param({"from_path": "/about", "to": "/shoes"}, 409, "", id="it would hide a page"),
        pytest.param({"from_path": "/a", "to": "/a?x=1"}, 409, "", id="a loop"),
        pytest.param({"from_path": "/", "to": "/shoes"}, 409, "", id="the home page"),
        pytest.param({"from_path": "/a", "to": "//evil.test"}, 400, "//", id="an open redirect"),
        pytest.param({"from_path": "/a", "to": "https://evil.test/"}, 400, "another site", id="another site"),
        pytest.param({"from_path": "/a", "to": "/b\r\nX: 1"}, 400, "control", id="header injection"),
        pytest.param({"from_path": "/a", "to": "/b", "status": 307}, 400, "more_status_codes", id="a code"),
        pytest.param({"from_path": "/a", "to": "/b", "status": 200}, 422, "status", id="no redirect code"),
        pytest.param({"from_path": "a", "to": "/b"}, 400, "begins with /", id="no path"),
        pytest.param({"from_path": "/a", "url": "/b"}, 422, "url", id="an unknown field"),
    ],
)
async def test_a_redirect_that_the_rules_forbid_is_refused(api, shop, body, status, said):
    answer = await api.post(BASE, body)

    assert answer.status_code == status, answer.text
    assert said in answer.text
    assert await shop.redirects() == {}


async def test_the_home_page_needs_a_second_confirmation(api, db):
    site = await SiteOwner.register(db)

    refused = await api.post(BASE, {"from_path": "/", "to": "/start"})
    assert (refused.status_code, await site.redirects()) == (409, {})
    assert "confirm_root" in refused.text
    made = await api.post(BASE, {"from_path": "/", "to": "/start", "confirm_root": True})
    path = f"{BASE}/{made.json()['id']}"
    assert (await api.call("PATCH", path, json={"to": "/x"})).status_code == 409
    assert (await api.call("PATCH", path, json={"to": "/x", "confirm_root": True})).status_code == 200
    assert await site.redirects() == {"/": "/x"}


async def test_another_site_needs_a_choice(api, shop):
    made = await api.post(BASE, {"from_path": "/a", "to": "https://other.test/x", "external": True})

    assert made.json()["to"] == "https://other.test/x"


async def test_a_list_is_filtered_searched_sorted_and_paged(api, shop, other):
    await other.create("/theirs", "/about")
    for name in ("b", "a", "c"):
        await shop.create(f"/{name}", "/about")
    await shop.tell("renamed", "/shoes/red", "/shoes/crimson")
    await report_hits(shop.db, shop.name, {"/c": 2, "/b": 7})

    def paths(answer):
        return [each["from_path"] for each in answer.json()["items"]]

    assert paths(await api.get(BASE)) == ["/a", "/b", "/c", "/shoes/red"]
    assert paths(await api.get(f"{BASE}?source=auto_slug_change")) == ["/shoes/red"]
    assert paths(await api.get(f"{BASE}?search=crimson")) == ["/shoes/red"]
    second = await api.get(f"{BASE}?limit=2&offset=2&sort_by=from_path")
    assert (paths(second), second.json()["total"]) == (["/c", "/shoes/red"], 4)
    assert paths(await api.get(f"{BASE}?sort_by=hits")) == ["/b", "/c", "/a", "/shoes/red"]
    assert paths(await api.get(f"{BASE}?sort_by=created_at")) == ["/shoes/red", "/c", "/a", "/b"]
    [first] = (await api.get(f"{BASE}?search=/b")).json()["items"]
    assert (first["source"], first["hit_count"], first["confidence"]) == ("admin", 7, None)
    assert (await api.get(f"{BASE}?source=magic")).status_code == 422
    assert (await api.get(f"{BASE}?sarch=a")).status_code == 400


async def test_resolve_answers_as_the_middleware_does(api, shop):
    await shop.create("/old", "/about")
    base = "/api/v1/sites/shop/resolve"

    found = (await api.get(base, params={"path": "/Old/?x=1"})).json()
    none = (await api.get(base, params={"path": "/about"})).json()
    spelled = (await api.get(base, params={"path": "/About/?X=1"})).json()

    assert spelled == {"path": "/About/", "status": 301, "location": "/about?X=1", "reason": "spelling"}
    assert found == {"path": "/Old/", "status": 301, "location": "/about?x=1", "reason": "redirect"}
    assert (none["status"], none["reason"]) == (None, "none")
    assert (await api.get(base, params={"path": "no path"})).status_code == 400
    assert (await api.get(base)).status_code == 422


async def test_users_read_and_only_administrators_change(api, shop):
    made = (await api.post(BASE, {"from_path": "/a", "to": "/about"})).json()
    path = f"{BASE}/{made['id']}"

    assert (await api.get(BASE, "user")).status_code == 200
    assert (await api.get(BASE, "anonymous")).status_code == 401
    assert (await api.post(BASE, {"from_path": "/b", "to": "/about"}, "user")).status_code == 403
    assert (await api.call("PATCH", path, "user", json={"to": "/shoes"})).status_code == 403
    assert (await api.call("DELETE", path, "user")).status_code == 403
    assert (await api.get(f"{BASE}/export", "user")).status_code == 403
    assert (await api.post(f"{BASE}/import?format=csv", None, "user")).status_code == 403
    assert await shop.redirects() == {"/a": "/about"}


async def test_an_export_that_did_not_change_is_not_sent_again(api, shop):
    await shop.create("/old", "/about")
    path = f"{BASE}/export?format=json"

    first = await api.get(path, "admin")
    same = await api.get(path, "admin", headers={"If-None-Match": first.headers["etag"]})
    either = await api.get(path, "admin", headers={"If-None-Match": f'"old", {first.headers["etag"]}'})
    other_form = await api.get(
        f"{BASE}/export?format=csv", "admin", headers={"If-None-Match": first.headers["etag"]}
    )
    await shop.create("/older", "/about")
    later = await api.get(path, "admin", headers={"If-None-Match": first.headers["etag"]})

    assert (first.status_code, same.status_code, later.status_code) == (200, 304, 200)
    assert same.content == b""
    assert (either.status_code, other_form.status_code) == (304, 200)
    assert "/old" in other_form.text
    assert [row["from_path"] for row in first.json()["redirects"]] == ["/old"]
    assert later.headers["etag"] != first.headers["etag"]


@pytest.mark.parametrize(
    ("form", "media", "left_out"),
    [
        ("json", "application/json", "0"),
        ("csv", "text/csv; charset=utf-8", "0"),
        ("nginx", "text/plain; charset=utf-8", "0"),
        ("apache", "text/plain; charset=utf-8", "0"),
        ("caddy", "text/plain; charset=utf-8", "0"),
        ("netlify", "text/plain; charset=utf-8", "1"),
        ("cloudflare", "text/csv; charset=utf-8", "1"),
    ],
)
async def test_every_format_is_exported_and_imported_again(api, shop, form, media, left_out):
    await shop.create("/gone", None, 410)
    whole = await api.get(f"{BASE}/export?format={form}", "admin")
    assert (whole.headers["content-type"], whole.headers["outrider-left-out"]) == (media, left_out)
    await shop.remove("/gone")
    await shop.create("/old", "/about")
    exported = await api.get(f"{BASE}/export?format={form}", "admin")
    await shop.remove("/old")

    dry = await api.call("POST", f"{BASE}/import?format={form}&dry_run=true", content=exported.content)
    assert dry.json()["created"] == 1
    assert await shop.redirects() == {}
    done = await api.call("POST", f"{BASE}/import?format={form}", content=exported.content)

    assert (done.status_code, done.json()["created"]) == (200, 1), done.text
    assert await shop.redirects() == {"/old": "/about"}


async def test_bad_rows_of_a_file_are_refused_one_by_one(api, shop):
    rows = [
        {"from_path": "/good", "to": "/about", "status": 301},
        {"from_path": "/about", "to": "/shoes", "status": 301},
        {"from_path": "/out", "to": "https://evil.test/", "status": 301},
    ]
    body = json.dumps({"redirects": rows}).encode()

    done = (await api.call("POST", f"{BASE}/import?format=json", content=body)).json()

    assert (done["created"], done["refused"]) == (1, 2)
    assert [each["from_path"] for each in done["refused_rows"]] == ["/about", "/out"]
    assert await shop.redirects() == {"/good": "/about"}
    not_text = await api.call("POST", f"{BASE}/import?format=csv", content=b"\xff\xfe\x00")
    assert not_text.status_code == 400
    assert (await api.call("POST", f"{BASE}/import?format=word", content=b"x")).status_code == 422


async def test_other_requests_are_answered_while_an_export_is_written(api, shop, monkeypatch):
    await api.post(BASE, {"from_path": "/old", "to": "/shoes"})
    writing = HeldCall(write_file)
    monkeypatch.setattr("outrider.services.sites.redirect_files.write_file", writing)

    export = asyncio.create_task(api.get(f"{BASE}/export?format=json", "admin"))
    await writing.begun()
    other = await api.get(BASE)
    writing.go_on()

    assert ("/old" in (await export).text, other.json()["total"]) == (True, 1)
    assert not writing.held_up_all
