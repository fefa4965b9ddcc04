"""Broken URLs of a site over the API."""

import pytest

BASE = "/api/v1/sites/shop/broken-urls"


@pytest.fixture
async def broken(api, shop):
    """The ids of two broken URLs by their path: /lost with 9 views and one 404, /gone with 2 and 2."""
    await shop.saw(lost=9, gone=2)
    await shop.missed("/gone", "/lost", "/noise", "/Gone")
    return {each["path"]: each["id"] for each in (await api.get(BASE)).json()["items"]}


async def test_the_greatest_loss_comes_first(api, broken):
    assert list(broken) == ["/lost", "/gone"]
    page = (await api.get(f"{BASE}?limit=1&offset=1")).json()
    assert ([each["path"] for each in page["items"]], page["total"]) == (["/gone"], 2)
    assert (await api.get(f"{BASE}?status=nothing")).status_code == 422
    assert (await api.get("/api/v1/sites/none/broken-urls")).status_code == 404


async def test_a_broken_url_is_shown_and_resolved_with_its_best_suggestion(api, shop):
    await shop.has_pages("/tea/green-pot-1", "/tea/green-pot-22")
    await shop.saw(green_pot=3)
    await shop.missed("/green-pot")
    [shown] = (await api.get(BASE)).json()["items"]

    done = await api.post(f"{BASE}/{shown['id']}/resolve")

    assert [each["path"] for each in shown["suggestions"]] == ["/tea/green-pot-1", "/tea/green-pot-22"]
    assert shown["suggestions"][0]["confidence"] > shown["suggestions"][1]["confidence"]
    assert done.json()["status"] == "resolved"
    assert await shop.redirects() == {"/green-pot": "/tea/green-pot-1"}


async def test_broken_urls_of_another_site_are_out_of_reach(api, broken, other):
    base = BASE.replace("/shop/", "/other/")

    assert (await api.get(f"{base}?status=all")).json()["items"] == []
    resolved = await api.post(f"{base}/{broken['/lost']}/resolve", {"to": "/about"})
    ignored = await api.post(f"{base}/{broken['/lost']}/ignore")

    assert (resolved.status_code, ignored.status_code) == (404, 404)
    assert {each["status"] for each in (await api.get(f"{BASE}?status=all")).json()["items"]} == {"pending"}
    assert await other.redirects() == {}


async def test_resolving_creates_the_redirect(api, shop, broken):
    done = await api.post(f"{BASE}/{broken['/lost']}/resolve", {"to": "/about"})
    again = await api.post(f"{BASE}/{broken['/lost']}/resolve", {"to": "/shoes"})

    assert (done.status_code, done.json()["status"]) == (200, "resolved")
    assert again.status_code == 409
    assert await shop.redirects() == {"/lost": "/about"}
    assert [each["path"] for each in (await api.get(f"{BASE}?status=resolved")).json()["items"]] == ["/lost"]
    assert (await api.get(f"{BASE}?status=all")).json()["total"] == 2


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (None, 400, "no suggestion"),
        ({"to": "https://evil.test/"}, 400, "another site"),
        ({"to": "/lost"}, 409, ""),
        ({"target": "/about"}, 422, "target"),
    ],
)
async def test_a_target_that_cannot_be_used_changes_nothing(api, shop, broken, body, status, said):
    answer = await api.post(f"{BASE}/{broken['/lost']}/resolve", body)

    assert answer.status_code == status, answer.text
    assert said in answer.text
    assert await shop.redirects() == {}
    assert len((await api.get(BASE)).json()["items"]) == 2


async def test_an_ignored_url_stays_ignored(api, shop, broken):
    done = await api.post(f"{BASE}/{broken['/lost']}/ignore")
    await shop.missed("/lost")

    assert done.json()["status"] == "ignored"
    assert [each["path"] for each in (await api.get(BASE)).json()["items"]] == ["/gone"]
    assert (await api.post(f"{BASE}/999/ignore")).status_code == 404
    assert (await api.post(f"{BASE}/0/ignore")).status_code == 422


async def test_users_look_and_administrators_decide(api, broken):
    assert (await api.get(BASE, "user")).status_code == 200
    for verb in ("resolve", "ignore"):
        assert (await api.post(f"{BASE}/{broken['/lost']}/{verb}", None, "user")).status_code == 403
        assert (await api.post(f"{BASE}/{broken['/lost']}/{verb}", None, "anonymous")).status_code == 401
