"""Signing in, and every way of proving who one is, over HTTP."""

import pytest
from tests.support.api import ORIGIN, SECRETS, bearer_of, signed_api_on

from outrider.auth.metrics import TokenKind
from outrider.auth.pruning import prune_auth

ME = "/api/v1/auth/me"
LOGIN = "/api/v1/auth/login"
ADA = {"username": "ada", "password": "password of ada"}


async def test_a_password_gives_a_token_and_a_cookie(signed_api):
    answer = await signed_api.client.post(LOGIN, json=ADA)
    cookie = answer.headers["set-cookie"]

    assert answer.status_code == 200
    assert set(answer.json()) == {"token", "expires_at", "user"}
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert "Max-Age=86400" in cookie
    assert (await signed_api.client.get(ME)).json()["proven_by"] == "session"

    signed_api.client.cookies.clear()
    bearer = {"Authorization": f"Bearer {answer.json()['token']}"}
    assert (await signed_api.client.get(ME, headers=bearer)).json()["proven_by"] == "jwt"


async def test_the_older_path_signs_in_too(signed_api):
    older = await signed_api.client.post("/api/auth/login", json=ADA)

    assert (older.status_code, older.json()["user"]["name"]) == (200, "ada")
    assert "outrider_session" in older.headers["set-cookie"]


async def test_callers_are_told_who_they_are(signed_api):
    ada, uma = await bearer_of(signed_api, "ada"), await bearer_of(signed_api, "uma")
    told = [(await signed_api.client.get(ME, headers=each)).json() for each in (ada, uma)]

    assert [(each["name"], each["role"]) for each in told] == [("ada", "admin"), ("uma", "user")]
    assert len({each["user_id"] for each in told}) == 2
    assert {each["proven_by"] for each in told} == {"jwt"}

    body = {"name": "reader", "read_only": True}
    made = (await signed_api.client.post("/api/v1/tokens", json=body, headers=ada)).json()
    reader = {"Authorization": f"Bearer {made['key']}"}
    told += [(await signed_api.client.get(ME, headers=reader)).json()]
    assert [each["read_only"] for each in told] == [False, False, True]


async def test_a_wrong_password_and_an_unknown_name_are_refused_alike(signed_api):
    wrong = await signed_api.client.post(LOGIN, json=ADA | {"password": "not this one"})
    unknown = await signed_api.client.post(LOGIN, json=ADA | {"username": "eve"})

    assert (wrong.status_code, wrong.json()) == (unknown.status_code, unknown.json())
    assert wrong.status_code == 401


async def test_guessing_is_slowed_down(signed_api):
    answers = [
        await signed_api.client.post(LOGIN, json=ADA | {"password": f"guess number {n}"}) for n in range(9)
    ]

    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) > 0


async def test_a_bearer_token_works_until_it_is_revoked(signed_api, pool):
    bearer = await bearer_of(signed_api, "uma")
    other = await bearer_of(signed_api, "uma")

    assert (await signed_api.client.get(ME, headers=bearer)).json()["name"] == "uma"
    signed_out = await signed_api.client.post("/api/v1/auth/logout", headers=bearer)
    assert signed_out.status_code == 204
    assert 'outrider_session=""' in signed_out.headers["set-cookie"]
    assert (await signed_api.client.get(ME, headers=bearer)).status_code == 401
    assert (await signed_api.client.get(ME, headers=other)).status_code == 200

    async with pool.acquire() as db:
        assert (await prune_auth(db)).revoked_jwts == 0  # the token would be valid for a day
    assert (await signed_api.client.get(ME, headers=bearer)).status_code == 401


async def test_a_disabled_user_is_refused_at_once(signed_api):
    ada, uma = await bearer_of(signed_api, "ada"), await bearer_of(signed_api, "uma")
    disabled = await signed_api.client.patch("/api/v1/users/uma", json={"enabled": False}, headers=ada)

    assert disabled.json()["enabled"] is False
    assert (await signed_api.client.get(ME, headers=uma)).status_code == 401


@pytest.mark.parametrize("bearer", ["", "x", "a.b.c", "ort_nothing", "eyJhbGciOiJub25lIn0.e30."])
async def test_a_bearer_that_is_not_ours_is_refused(signed_api, bearer):
    assert (await signed_api.client.get(ME, headers={"Authorization": f"Bearer {bearer}"})).status_code == 401


async def test_a_form_of_another_site_cannot_act_with_the_cookie(signed_api, pool):
    await signed_api.client.post(LOGIN, json=ADA)
    add = {"name": "mallory", "password": "long enough 1"}
    page = await signed_api.client.get("/overview")
    token = page.text.partition('"X-CSRF-Token": "')[2].partition('"')[0]
    own = {"Origin": ORIGIN, "X-CSRF-Token": token}

    without = await signed_api.client.post("/api/v1/users", json=add)
    elsewhere = await signed_api.client.post(
        "/api/v1/users", json=add, headers=own | {"Origin": "https://evil.example"}
    )
    no_token = await signed_api.client.post("/api/v1/users", json=add, headers={"Origin": ORIGIN})

    assert [each.status_code for each in (without, elsewhere, no_token)] == [403, 403, 403]
    assert (await signed_api.client.post("/api/v1/users", json=add, headers=own)).status_code == 201


async def test_another_site_cannot_sign_a_reader_in(signed_api):
    answer = await signed_api.client.post(LOGIN, json=ADA, headers={"Origin": "https://evil.example"})

    assert answer.status_code == 403


async def test_an_old_cookie_does_not_keep_anyone_from_signing_in(signed_api):
    old = {"Cookie": "outrider_session=" + "x" * 43}

    assert (await signed_api.client.get(ME, headers=old)).status_code == 401
    assert (await signed_api.client.post(LOGIN, json=ADA, headers=old)).status_code == 200
    assert (await signed_api.client.get("/overview", headers=old)).headers["location"].startswith("/login")


async def test_a_token_that_may_only_read_cannot_change_anything(signed_api):
    ada = await bearer_of(signed_api, "ada")
    made = await signed_api.client.post(
        "/api/v1/tokens", json={"name": "reader", "read_only": True}, headers=ada
    )
    reader = {"Authorization": f"Bearer {made.json()['key']}"}

    assert made.status_code == 201
    assert (await signed_api.client.get("/api/v1/users", headers=reader)).status_code == 200
    refused = await signed_api.client.post("/api/v1/tokens", json={"name": "more"}, headers=reader)
    assert (refused.status_code, refused.json()["error"]) == (403, "this token may only read")

    number = made.json()["token"]["token_id"]
    await signed_api.client.delete(f"/api/v1/tokens/{number}", headers=ada)
    assert (await signed_api.client.get("/api/v1/users", headers=reader)).status_code == 401


async def test_every_kind_of_token_is_counted_when_it_is_issued(signed_api):
    uma = await bearer_of(signed_api, "uma")
    await signed_api.client.post("/api/v1/tokens", json={"name": "one"}, headers=uma)
    path = {"path": "/sse/crawler/events"}
    for _ in range(2):
        await signed_api.client.post("/api/v1/auth/stream-token", json=path, headers=uma)
    refused = await signed_api.client.post("/api/v1/tokens", json={"name": "x", "user": "ada"}, headers=uma)

    registry = signed_api.context.parts["identity"].metrics.registry
    counted = {
        kind.value: registry.get_sample_value("outrider_tokens_issued_total", {"kind": kind.value})
        for kind in TokenKind
    }
    assert refused.status_code == 403
    assert counted == {"session": 1, "jwt": 1, "api_token": 1, "stream_token": 2}


async def test_a_user_sees_only_their_own_tokens(signed_api):
    ada, uma = await bearer_of(signed_api, "ada"), await bearer_of(signed_api, "uma")
    await signed_api.client.post("/api/v1/tokens", json={"name": "of ada"}, headers=ada)
    await signed_api.client.post("/api/v1/tokens", json={"name": "of uma"}, headers=uma)
    other = await signed_api.client.post("/api/v1/tokens", json={"name": "x", "user": "ada"}, headers=uma)

    listed = (await signed_api.client.get("/api/v1/tokens", headers=uma)).json()
    assert [each["name"] for each in listed["items"]] == ["of uma"]
    assert (await signed_api.client.get("/api/v1/tokens", headers=ada)).json()["total"] == 2
    assert other.status_code == 403


async def test_the_service_secret_is_no_user(signed_api):
    right = await signed_api.client.get(ME, headers={"X-Internal-Secret": SECRETS.internal})
    wrong = await signed_api.client.get(ME, headers={"X-Internal-Secret": "no"})

    assert (right.status_code, wrong.status_code) == (403, 401)


async def test_requests_over_the_limit_are_refused_and_told_when_to_come_back(pool):
    async with signed_api_on(pool, rate_limit_user=3) as api:
        uma = await bearer_of(api, "uma")
        answers = [await api.client.get(ME, headers=uma) for _ in range(4)]

    assert [each.status_code for each in answers] == [200, 200, 200, 429]
    assert [each.headers.get("ratelimit-remaining") for each in answers[:3]] == ["2", "1", "0"]
    assert 1 <= int(answers[3].headers["retry-after"]) <= 60


@pytest.mark.parametrize(
    "header",
    [
        {"Authorization": "Bearer ort_wrong"},
        {"Authorization": "Bearer a.b.c"},
        {"X-Site-Key": "ork_wrong"},
        {"X-Internal-Secret": "wrong"},
        {"Cookie": "outrider_session=wrong"},
    ],
)
async def test_requests_with_credentials_that_are_not_valid_are_limited_by_address(pool, header):
    async with signed_api_on(pool, rate_limit_user=3) as api:
        answers = [(await api.client.get(ME, headers=header)).status_code for _ in range(5)]
        api.client.cookies.clear()

        assert answers == [401, 401, 401, 429, 429]
        uma = await bearer_of(api, "uma")
        assert (await api.client.get(ME, headers=uma)).status_code == 200, "others of this address go on"
        page = [(await api.client.get("/overview", headers=header)).status_code for _ in range(5)]
        assert set(page) == {303}, "a page leads to the sign-in"


async def test_every_change_is_in_the_audit_log_and_no_secret_is(signed_api, pool):
    ada = await bearer_of(signed_api, "ada")
    await signed_api.client.post(
        "/api/v1/users",
        json={"name": "new", "password": "very secret word"},
        headers=ada | {"X-Request-ID": "r-1"},
    )
    await signed_api.client.delete("/api/v1/users/new", headers=ada)
    listed = (await signed_api.client.get("/api/v1/audit?object_kind=user", headers=ada)).json()["items"]
    added = next(each for each in listed if each["action"] == "user.add" and each["request_id"] == "r-1")

    assert added["user_name"] == "ada"
    assert added["changes"]["after"] == {"name": "new", "role": "user", "enabled": True}
    assert "user.remove" in {each["action"] for each in listed}
    stored = await pool.fetchval("SELECT string_agg(audit::text, '') FROM audit")
    assert "very secret word" not in stored
    assert ada["Authorization"].removeprefix("Bearer ") not in stored


async def test_the_log_of_changes_is_for_administrators(signed_api):
    uma = await bearer_of(signed_api, "uma")

    assert (await signed_api.client.get("/api/v1/audit", headers=uma)).status_code == 403
    assert (await signed_api.client.get("/api/v1/users", headers=uma)).status_code == 403


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_user_cannot_find_out_who_else_exists(signed_api, method):
    """Every name but one's own gets the same answer, whether the user exists or not."""
    uma = await bearer_of(signed_api, "uma")

    async def ask(name):
        more = {"params": {"user": name}} if method == "GET" else {"json": {"name": "x", "user": name}}
        answer = await signed_api.client.request(method, "/api/v1/tokens", headers=uma, **more)
        return answer.status_code, answer.json().get("error")

    refused = (403, "only an administrator can use tokens of other users")
    assert await ask("ada") == await ask("nobody") == refused
    assert (await ask("UMA"))[0] in (200, 201)


@pytest.mark.parametrize(("scheme", "is_secure"), [("https", True), ("http", False)])
async def test_the_cookie_goes_over_https_only_where_there_is_https(signed_api, scheme, is_secure):
    answer = await signed_api.client.post(f"{scheme}://outrider.test{LOGIN}", json=ADA)

    assert answer.status_code == 200
    assert ("Secure" in answer.headers["set-cookie"]) is is_secure


async def test_seeds_have_a_stricter_limit_than_other_calls_of_an_administrator(signed_api):
    ada = await bearer_of(signed_api, "ada")

    async def seed(number):
        body = {"urls": [f"https://example{number}.test/"]}
        return await signed_api.client.post("/api/v1/frontier/seed", json=body, headers=ada)

    answers = [await seed(number) for number in range(11)]

    assert [each.status_code for each in answers] == [201] * 10 + [429]
    assert int(answers[-1].headers["Retry-After"]) > 0
    assert (await signed_api.client.get(ME, headers=ada)).status_code == 200


async def test_changes_are_found_by_their_time(signed_api, pool):
    ada = await bearer_of(signed_api, "ada")
    await signed_api.client.post(
        "/api/v1/users", json={"name": "new", "password": "very secret word"}, headers=ada
    )
    await pool.execute("UPDATE audit SET at = '2026-03-04T05:06:07Z' WHERE action = 'user.add'")

    async def found(query: str) -> set[str]:
        answer = await signed_api.client.get(f"/api/v1/audit?{query}", headers=ada)
        return {each["action"] for each in answer.json()["items"]}

    assert await found("until=2026-03-05") == {"user.add"}
    assert "user.add" not in await found("since=2026-03-05")
    assert await found("since=2026-03-04T05:06:07Z&until=2026-03-04T05:06:08Z") == {"user.add"}


@pytest.mark.parametrize(
    "given", ["0.5", "1700000000", "yesterday", "2026-13-01", "0001-01-01T00:00:00%2B14:00", "10000-01-01"]
)
async def test_what_is_no_time_is_refused(signed_api, given):
    ada = await bearer_of(signed_api, "ada")
    answer = await signed_api.client.get(f"/api/v1/audit?until={given}", headers=ada)

    assert answer.status_code == 422
    assert "until" in answer.text
