"""Signing in by the pages: the form, the first administrator, the account."""

import re

import pytest
from tests.support.api import ORIGIN, signed_api_on

from outrider.auth.first_admin import new_setup_code
from outrider.web.dashboard.way_back import own_path

OWN = {"Origin": ORIGIN}


async def _sign_in(api, name="ada", **more):
    form = {"name": name, "password": f"password of {name}", **more}
    return await api.client.post("/login", data=form, headers=OWN)


def _csrf(page):
    return re.search(r'name="csrf_token" value="([0-9a-f]{128})"', page.text)[1]


async def test_the_form_leads_to_the_page_that_was_asked_for(signed_api):
    asked = await signed_api.client.get("/settings?search=delay")
    form = await signed_api.client.get(asked.headers["location"])
    following = re.search(r'name="following" value="([^"]+)"', form.text)[1]
    signed_in = await _sign_in(signed_api, following=following)

    assert following == "/settings?search=delay"
    assert (signed_in.status_code, signed_in.headers["location"]) == (303, following)
    assert "OUTRIDER_DELAY" in (await signed_api.client.get(following)).text


async def test_a_wrong_password_is_said_on_the_form(signed_api):
    answer = await signed_api.client.post(
        "/login", data={"name": "ada", "password": "wrong one"}, headers=OWN
    )

    assert answer.status_code == 401
    assert "The user name or the password is not right." in answer.text
    assert 'value="ada"' in answer.text
    assert "wrong one" not in answer.text


@pytest.mark.parametrize(
    "target", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:x", "/a\\b", ""]
)
def test_the_form_never_leads_to_another_site(target):
    assert own_path(target) == "/overview"


async def test_signing_out_ends_the_session(signed_api):
    await _sign_in(signed_api)
    page = await signed_api.client.get("/overview")
    cookies = dict(signed_api.client.cookies)
    await signed_api.client.post("/logout", data={"csrf_token": _csrf(page)}, headers=OWN)
    signed_api.client.cookies.update(cookies)  # the browser of someone who copied the cookie

    assert (await signed_api.client.get("/overview")).headers["location"].startswith("/login")


async def test_a_session_that_expired_leads_to_the_form_and_back(signed_api, pool):
    await _sign_in(signed_api)
    assert (await signed_api.client.get("/jobs?state=paused")).status_code == 200
    await pool.execute("UPDATE user_session SET expires_at = now() - interval '1 second'")

    answer = await signed_api.client.get("/jobs?state=paused")

    assert answer.status_code == 303
    assert answer.headers["location"] == "/login?next=%2Fjobs%3Fstate%3Dpaused"


async def test_a_part_of_a_page_whose_session_expired_leads_the_page_to_the_form(signed_api):
    page = {"HX-Request": "true", "HX-Current-URL": f"{ORIGIN}/jobs?state=paused"}

    answer = await signed_api.client.get("/search/suggest?q=a", headers=page)
    elsewhere = await signed_api.client.get(
        "/overview", headers={**page, "HX-Current-URL": "https://evil.example/x"}
    )

    assert (answer.status_code, answer.text) == (401, "")
    assert answer.headers["hx-redirect"] == "/login?next=%2Fjobs%3Fstate%3Dpaused"
    assert elsewhere.headers["hx-redirect"] == "/login?next=%2Foverview"


async def test_a_form_sent_after_the_session_leads_back_to_its_page(signed_api):
    answer = await signed_api.client.post("/runs", headers={**OWN, "Referer": f"{ORIGIN}/runs/new"})

    assert answer.headers["location"] == "/login?next=%2Fruns%2Fnew"


async def test_a_form_without_its_token_changes_nothing(signed_api, pool):
    await _sign_in(signed_api)
    await signed_api.client.post("/users", data={"name": "x", "password": "long enough 1"}, headers=OWN)

    assert await pool.fetchval("SELECT count(*) FROM app_user") == 2


async def test_an_administrator_adds_disables_and_removes_a_colleague(signed_api, pool):
    await _sign_in(signed_api)
    token = {"csrf_token": _csrf(await signed_api.client.get("/users"))}
    added = await signed_api.client.post(
        "/users", data={**token, "name": "bo", "password": "long enough 1"}, headers=OWN
    )
    page = await signed_api.client.get("/users")
    user_id = await pool.fetchval("SELECT user_id FROM app_user WHERE name = 'bo'")

    assert added.status_code == 303
    assert "bo can sign in now." in page.text
    await signed_api.client.post(f"/users/{user_id}/enabled", data={**token, "enabled": "false"}, headers=OWN)
    assert await pool.fetchval("SELECT disabled_at IS NOT NULL FROM app_user WHERE user_id = $1", user_id)
    await signed_api.client.post(f"/users/{user_id}/enabled", data={**token, "enabled": "true"}, headers=OWN)
    assert await pool.fetchval("SELECT disabled_at IS NULL FROM app_user WHERE user_id = $1", user_id)
    await signed_api.client.post(f"/users/{user_id}/remove", data=token, headers=OWN)
    assert await pool.fetchval("SELECT count(*) FROM app_user") == 2


async def test_a_colleague_has_the_role_and_the_password_that_an_administrator_chose(signed_api, pool):
    async def role():
        return await pool.fetchval("SELECT role::text FROM app_user WHERE name = 'bo'")

    await _sign_in(signed_api)
    token = {"csrf_token": _csrf(await signed_api.client.get("/users"))}
    form = {**token, "name": "bo", "password": "long enough 1", "role": "admin"}
    await signed_api.client.post("/users", data=form, headers=OWN)
    user_id = await pool.fetchval("SELECT user_id FROM app_user WHERE name = 'bo'")

    assert await role() == "admin"
    await signed_api.client.post(f"/users/{user_id}/role", data={**token, "role": "user"}, headers=OWN)
    assert await role() == "user"
    new = {**token, "password": "password of bo"}
    await signed_api.client.post(f"/users/{user_id}/password", data=new, headers=OWN)
    signed_api.client.cookies.clear()
    assert (await _sign_in(signed_api, "bo")).status_code == 303
    assert (await signed_api.client.get("/users")).status_code == 403


async def test_a_refusal_is_said_on_the_page_it_came_from(signed_api):
    await _sign_in(signed_api)
    token = _csrf(await signed_api.client.get("/users"))
    refused = await signed_api.client.post(
        "/users/1/role",
        data={"csrf_token": token, "role": "user"},
        headers=OWN | {"Referer": f"{ORIGIN}/users"},
    )

    assert (refused.status_code, refused.headers["location"]) == (303, "/users")
    assert "last" in (await signed_api.client.get("/users")).text


async def test_a_token_is_shown_once(signed_api):
    await _sign_in(signed_api, "uma")
    csrf = _csrf(await signed_api.client.get("/tokens"))
    made = await signed_api.client.post(
        "/tokens", data={"csrf_token": csrf, "name": "ci", "days": "30", "read_only": "true"}, headers=OWN
    )
    key = re.search(r'id="new-token">([^<]+)<', made.text)[1]
    signed_api.client.cookies.clear()

    assert (
        await signed_api.client.get("/api/v1/auth/me", headers={"Authorization": f"Bearer {key}"})
    ).json()["read_only"] is True
    await _sign_in(signed_api, "uma")
    assert key not in (await signed_api.client.get("/tokens")).text


async def test_a_reader_finds_no_page_of_administrators(signed_api):
    await _sign_in(signed_api, "uma")

    for path in ("/users", "/audit"):
        assert (await signed_api.client.get(path)).status_code == 403


async def test_the_first_administrator_is_created_by_the_code(pool):
    async with signed_api_on(pool) as api:
        async with api.context.connection() as db:
            await db.execute("DELETE FROM app_user")
            code = await new_setup_code(db)
        form = {"name": "root", "password": "long enough 1"}
        wrong = await api.client.post("/setup", data={**form, "code": "x"}, headers=OWN)
        right = await api.client.post("/setup", data={**form, "code": code}, headers=OWN)
        again = await api.client.post("/setup", data={**form, "code": code}, headers=OWN)

        assert (wrong.status_code, right.status_code) == (403, 303)
        assert again.status_code in (403, 409)
        users = await api.client.get("/users")
        assert users.status_code == 200
        assert "never" not in users.text  # who has just been signed in has signed in


async def test_the_log_of_changes_shows_what_changed(signed_api):
    await _sign_in(signed_api)
    token = {"csrf_token": _csrf(await signed_api.client.get("/users"))}
    await signed_api.client.post("/users/2/role", data={**token, "role": "admin"}, headers=OWN)
    page = await signed_api.client.get("/audit?action=user.role")

    assert "user → admin" in page.text


async def test_the_theme_is_remembered(signed_api):
    await _sign_in(signed_api)
    page = await signed_api.client.get("/overview")
    assert 'data-bs-theme="dark"' not in page.text
    await signed_api.client.post("/theme", data={"csrf_token": _csrf(page)}, headers=OWN)

    assert 'data-bs-theme="dark"' in (await signed_api.client.get("/overview")).text


async def test_settings_hide_secrets(pool):
    async with signed_api_on(pool, jwt_secret="very secret thing " * 3) as api:
        await _sign_in(api)
        page = await api.client.get("/settings?search=jwt")

    assert "OUTRIDER_JWT_SECRET" in page.text
    assert "very secret thing" not in page.text
