"""The pages of owned sites: `/sites` and `/sites/{id}` with its four tabs."""

import re

import pytest
from tests.support.sites import SiteOwner

from outrider.services.sites.reports import report_hits

HOSTILE = '"><script>alert(1)</script>'


async def form(api, path, role="admin", **fields):
    return await api.call("POST", path, role, data=fields)


async def page(api, path, role="admin"):
    answer = await api.get(path, role)
    assert answer.status_code == 200, answer.text
    return answer.text


async def save(api, *links, **more):
    body = {"links": list(links), **more}
    return (await api.call("PUT", "/api/v1/sites/shop/links/nav.main", json=body)).json()["links"]


def rows(text):
    """The words of each cell of each row of the tables, and the addresses of all forms."""
    found = [
        re.findall(r"<td[^>]*>(.*?)</td>", row, re.S) for row in re.findall(r"<tr>(.*?)</tr>", text, re.S)
    ]
    shown = [[" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in row] for row in found if row]
    return shown, re.findall(r'<form[^>]* action="([^"]+)"', text)


async def test_a_site_is_added_and_its_key_is_shown_once(api, db):
    made = await form(
        api, "/sites", name="shop", base_url="https://shop.test", hosts="www.shop.test, m.shop.test"
    )

    [key] = re.findall(r"ork_[\w-]{40,}", made.text)
    assert list(await db.fetchval("SELECT hosts FROM site")) == ["shop.test", "www.shop.test", "m.shop.test"]
    for path in ("/sites", "/sites/shop", "/audit"):
        assert key not in await page(api, path)
    assert key not in str(await db.fetch("SELECT changes FROM audit"))
    second = await form(api, "/sites/shop/key")
    assert re.findall(r"ork_[\w-]{40,}", second.text) != [key]


async def test_the_list_says_what_needs_attention(api, shop):
    assert "No dead link" in await page(api, "/sites", "user")
    await save(api, "/none")
    await shop.saw(lost=3)
    await shop.missed("/lost")

    text = await page(api, "/sites", "user")

    assert "Dead links: 1. Broken URLs to review: 1." in text
    assert "Add a site" not in text
    assert "Add a site" in await page(api, "/sites", "admin")


async def test_an_empty_list_says_what_to_do(api):
    assert "There is no site yet" in await page(api, "/sites", "user")


async def test_the_four_tabs_are_in_the_address(api, shop):
    tabs = {
        "redirects": ("Active redirects", "There is no redirect yet"),
        "broken": ("Broken URLs", "Nothing to review"),
        "links": ("Dead links", "There are no links yet"),
        "create": ("Create redirect", "Create a redirect"),
    }
    for tab, (label, content) in tabs.items():
        text = await page(api, f"/sites/shop?tab={tab}")
        current = re.findall(r'<a class="btn btn-sm" href="([^"]+)" aria-current="page">([^<]+)', text)
        assert [(link, words.strip()) for link, words in current] == [(f"/sites/shop?tab={tab}", label)]
        assert content in text
        for other in tabs:
            assert f'href="/sites/shop?tab={other}"' in text


async def test_active_redirects_show_source_hits_and_filters(api, shop):
    made = await shop.create("/sale", "/about")
    await shop.tell("renamed", "/shoes/red", "/shoes/crimson")
    await report_hits(shop.db, shop.name, {"/sale": 7})
    await shop.db.execute(
        "UPDATE site_redirect SET created_at = now() - interval '3 days' WHERE hit_count = 7"
    )

    text = await page(api, "/sites/shop")

    [sale, red], forms = rows(text)
    assert sale[:5] == ["/sale", "/about 301", "manual", "7", "3 days ago"]
    assert red[:4] == ["/shoes/red", "/shoes/crimson 301", "auto", "0"]
    for verb in ("edit", "delete"):
        assert f"/sites/shop/redirects/{made.id}/{verb}" in forms
    assert "/sale" not in await page(api, "/sites/shop?tab=redirects&source=auto_slug_change")
    assert "/shoes/crimson" not in await page(api, "/sites/shop?search=sale")
    assert "Edit" not in await page(api, "/sites/shop", "user")


async def test_a_detected_redirect_shows_its_confidence(api, shop):
    await shop.saw(shoes__reed=5)
    await shop.set(confidence_threshold=0.1, confidence_margin=0.0)
    await shop.missed("/shoes/reed")

    [made] = await shop.listed()
    assert 0.1 < made.confidence < 1
    assert rows(await page(api, "/sites/shop"))[0][0][2] == f"detected {round(made.confidence * 100)} %"


async def test_a_redirect_is_created_edited_and_deleted(api, shop):
    made = await form(api, "/sites/shop/redirects", from_path="/sale", to="/about", status="302")
    assert (made.status_code, await shop.redirects()) == (303, {"/sale": "/about"})
    [row] = await shop.listed()
    await form(api, f"/sites/shop/redirects/{row.id}/edit", to="/shoes", status="301")
    assert await shop.redirects() == {"/sale": "/shoes"}
    await form(api, f"/sites/shop/redirects/{row.id}/delete")
    assert await shop.redirects() == {}


@pytest.mark.parametrize(
    ("from_path", "to", "said"),
    [
        ("/about", "/shoes", "live"),
        ("/a", "https://evil.test/", "another site"),
        ("/", "/shoes", "is a live page"),
        ("a", "/shoes", "begins with /"),
    ],
)
async def test_a_refused_redirect_says_why(api, shop, from_path, to, said):
    answer = await form(api, "/sites/shop/redirects", from_path=from_path, to=to)

    assert answer.status_code in (400, 409)
    assert said in answer.text
    assert await shop.redirects() == {}


async def test_the_home_page_is_redirected_only_by_a_second_confirmation(api, db):
    site = await SiteOwner.register(db)
    wanted = {"from_path": "/", "to": "/start"}

    refused = await form(api, "/sites/shop/redirects", **wanted)
    assert (refused.status_code, await site.redirects()) == (409, {})
    assert "home page" in refused.text
    await form(api, "/sites/shop/redirects", **wanted, confirm_root="true")
    assert await site.redirects() == {"/": "/start"}
    [row] = await site.listed()
    edit = f"/sites/shop/redirects/{row.id}/edit"
    assert (await form(api, edit, to="/other")).status_code == 409
    assert 'name="confirm_root"' in await page(api, "/sites/shop")
    await form(api, edit, to="/other", confirm_root="true")
    assert await site.redirects() == {"/": "/other"}
    await site.remove("/")

    for confirmed, found in (("false", {}), ("true", {"/": "/from-file"})):
        file = {"file": ("r.csv", b"/,/from-file\n")}
        data = {"format": "csv", "confirm_root": confirmed}
        await api.call("POST", "/sites/shop/import", data=data, files=file)
        assert await site.redirects() == found


async def test_a_broken_url_is_redirected_with_its_suggestion_or_ignored(api, shop, db):
    await shop.set(confidence_threshold=1.0)
    await shop.saw(shoes__reed=5, gone=2)
    await shop.missed("/shoes/reed", "/gone")
    await shop.missed("/shoes/reed", "/shoes/reed")
    await db.execute(
        "UPDATE broken_url SET first_seen_at = now() - interval '3 days' WHERE path = '/shoes/reed'"
    )
    ids = {row["path"]: row["broken_id"] for row in await db.fetch("SELECT path, broken_id FROM broken_url")}

    text = await page(api, "/sites/shop?tab=broken")
    [reed, gone], forms = rows(text)
    assert reed[:4] == ["/shoes/reed", "5", "3", "3 days ago"]
    assert gone[:3] == ["/gone", "2", "1"]
    assert 'name="to" value="/shoes/red"' in text
    for verb in ("resolve", "ignore"):
        assert f"/sites/shop/broken/{ids['/gone']}/{verb}" in forms
    await form(api, f"/sites/shop/broken/{ids['/shoes/reed']}/resolve", to="/shoes/red")
    await form(api, f"/sites/shop/broken/{ids['/gone']}/ignore")

    assert await shop.redirects() == {"/shoes/reed": "/shoes/red"}
    assert "Nothing to review" in await page(api, "/sites/shop?tab=broken")
    assert "/gone" in await page(api, "/sites/shop?tab=broken&status=ignored")


async def test_the_badge_counts_dead_links_until_all_are_decided(api, shop, db):
    first, _ = await save(api, "/none", "/never", edit_url="https://cms.test/nav")
    text = await page(api, "/sites/shop?tab=links", "user")
    assert all(each in text for each in ("/none", ">dead<", "nav.main", "https://cms.test/nav"))
    for path in ("/overview", "/sites"):
        assert re.search(r'menu-badge">2<', await page(api, path, "user")), path
    assert "2 dead links" in await page(api, "/overview", "user")

    await form(api, f"/sites/shop/links/{first['id']}/ignore")
    assert re.search(r'menu-badge">1<', await page(api, "/overview"))
    await shop.tell("created", "/never")
    cleared = await page(api, "/overview")

    assert "menu-badge" not in cleared
    assert "dead link" not in cleared
    assert "Stop ignoring" in await page(api, "/sites/shop?tab=links&ignored=true")
    await form(api, f"/sites/shop/links/{first['id']}/ignore", ignored="false")
    assert re.search(r'menu-badge">1<', await page(api, "/overview"))


async def test_a_reason_of_another_version_is_shown_as_it_is_stored(api, shop, db):
    [link] = await save(api, "https://a.test/x")
    await db.execute("UPDATE site_link SET status = 'dead', reason = 'asleep_for_years'")
    await db.execute(
        "INSERT INTO link_check (host_id, url_hash, verdict, reason, evidence)"
        " SELECT host_id, url_hash, 'dead', 'asleep_for_years', '[]' FROM site_link"
    )

    listed = await page(api, "/sites/shop?tab=links")
    shown = await page(api, f"/sites/shop/links/{link['id']}")

    assert "asleep_for_years" in rows(listed)[0][0][2]
    assert [row[1:3] for row in rows(shown)[0]] == [["dead", "asleep_for_years"]]
    assert "asleep_for_years." in shown
    found = (await api.get(f"/api/v1/sites/shop/links/{link['id']}")).json()
    told = (found["link"]["reason"], found["link"]["why"], found["checks"][0]["reason"])
    assert told == ("asleep_for_years",) * 3


async def test_a_stored_reason_or_address_that_nobody_knows_breaks_no_page(api, shop, db):
    link, _ = await save(api, "/none", "/never")
    await db.execute(
        "UPDATE site_link SET url = $1 || link_id, edit_url = $1, reason = $2", "javascript:", HOSTILE
    )

    for path in ("/sites/shop?tab=links", f"/sites/shop/links/{link['id']}"):
        text = await page(api, path)
        assert "javascript:" in text
        assert 'href="javascript:' not in text
        assert HOSTILE not in text


async def test_a_link_is_checked_updated_and_shown(api, shop, db):
    await shop.tell("renamed", "/shoes/red", "/shoes/crimson")
    moved, outside = await save(api, "/shoes/red", "https://a.test/x", edit_url="https://cms.test/nav")
    await db.execute("UPDATE url SET next_fetch_at = now() + interval '5 days'")
    await db.execute(
        "UPDATE site_link SET last_checked_at = now() - interval '3 days' WHERE link_id = $1", moved["id"]
    )

    text = await page(api, "/sites/shop?tab=links")
    [first, second], forms = rows(text)
    assert first[0] == second[0] == "nav.main"
    assert first[1] == "/shoes/red now /shoes/crimson"
    assert first[2].startswith("moved the item of the site has another address")
    assert [first[3], second[1], second[2], second[3]] == [
        "3 days ago",
        "https://a.test/x",
        "unchecked",
        "never",
    ]
    links = {name: f"/sites/shop/links/{each['id']}" for name, each in (("in", moved), ("out", outside))}
    assert {form for form in forms if form.startswith("/sites/shop/links/")} == {
        *(f"{links['in']}/{verb}" for verb in ("apply", "ignore")),
        *(f"{links['out']}/{verb}" for verb in ("check", "ignore")),
    }
    assert text.count('href="https://cms.test/nav"') == 2
    assert 'value="/shoes/crimson"' in text
    await form(api, f"/sites/shop/links/{moved['id']}/apply", to="/shoes/crimson")
    await form(api, f"/sites/shop/links/{outside['id']}/check")

    assert await db.fetchval("SELECT replacement FROM link_update") == "/shoes/crimson"
    assert await db.fetchval("SELECT next_fetch_at <= now() FROM url WHERE url = 'https://a.test/x'")
    assert "judged by its inventory" in await page(api, f"/sites/shop/links/{moved['id']}")
    assert "No check yet" in await page(api, f"/sites/shop/links/{outside['id']}")
    assert (await api.get("/sites/shop/links/999")).status_code == 404


async def test_files_are_uploaded_imported_and_downloaded(api, shop, db):
    paths = {"file": ("paths.txt", b"/\n/about\n/New/\n")}
    uploaded = await api.call("POST", "/sites/shop/paths", files=paths, data={"merge": "true"})
    assert uploaded.status_code == 303
    assert await db.fetchval("SELECT count(*) FROM site_path") == 5

    rows = {"file": ("r.csv", b"from_path,to,status\n/old,/about,301\n/about,/shoes,301\n")}
    dry = await api.call("POST", "/sites/shop/import", files=rows, data={"format": "csv", "dry_run": "true"})
    assert "1 redirects would be created" in dry.text
    assert await shop.redirects() == {}
    done = await api.call("POST", "/sites/shop/import", files=rows, data={"format": "csv"})
    assert "1 refused" in done.text
    assert await shop.redirects() == {"/old": "/about"}

    export = await api.get("/sites/shop/export?format=netlify", "admin")
    assert "/old" in export.text
    assert "attachment" in export.headers["content-disposition"]
    assert (await api.get("/sites/shop/export", "user")).status_code == 403
    bad = await api.call("POST", "/sites/shop/paths", files={"file": ("x", b"\xff\xfe\x00")})
    assert bad.status_code == 400


async def test_removal_shows_what_is_lost_first(api, shop, db):
    await shop.create("/old", "/about")

    assert "cannot be undone" in await page(api, "/sites/shop/remove")
    assert await db.fetchval("SELECT count(*) FROM site") == 1
    assert (await form(api, "/sites/shop/remove")).status_code == 303
    assert await db.fetchval("SELECT count(*) FROM site") == 0
    assert (await api.get("/sites/shop", "admin")).status_code == 404


async def test_hostile_text_is_escaped(api, shop):
    await shop.saw(x=1)
    await api.call(
        "PUT", "/api/v1/sites/shop/links/nav", json={"links": [f"/{HOSTILE}", "javascript:alert(1)"]}
    )
    await shop.create("/a%22%3E%3Cscript%3E", "/about")

    for tab in ("redirects", "broken", "links", "create"):
        text = await page(api, f"/sites/shop?tab={tab}&from={HOSTILE}&search={HOSTILE}")
        assert "<script>alert" not in text
        assert 'href="javascript' not in text


@pytest.mark.parametrize(
    "path",
    [
        "/sites",
        "/sites/shop/key",
        "/sites/shop/remove",
        "/sites/shop/redirects",
        "/sites/shop/redirects/1/edit",
        "/sites/shop/redirects/1/delete",
        "/sites/shop/broken/1/resolve",
        "/sites/shop/broken/1/ignore",
        "/sites/shop/links/1/check",
        "/sites/shop/links/1/ignore",
        "/sites/shop/links/1/apply",
        "/sites/shop/paths",
        "/sites/shop/import",
    ],
)
async def test_only_administrators_act(api, shop, path):
    assert (await form(api, path, "user")).status_code == 403
    assert (await form(api, path, "anonymous")).status_code == 303
    assert (await api.get("/sites/shop", "anonymous")).status_code == 303
