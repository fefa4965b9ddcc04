"""The webhook of a site over the API and on the dashboard: its secret is shown once."""

import re

import pytest

SITE = "/api/v1/sites/shop"
HOOK = "https://cms.test/outrider"
SECRET = re.compile(r"orw_[\w-]{40,}")


async def everything_kept(db) -> str:
    """What the audit and the answers of repeated requests keep."""
    rows = [*await db.fetch("SELECT * FROM audit"), *await db.fetch("SELECT * FROM idempotent_answer")]
    return str([dict(row) for row in rows])


async def test_the_address_needs_a_secret_which_is_shown_once(api, shop, db):
    without = await api.call("PATCH", SITE, json={"update_webhook": HOOK})
    made = await api.post(f"{SITE}/webhook/secret", headers={"Idempotency-Key": "k-1"})
    changed = await api.call("PATCH", SITE, json={"update_webhook": HOOK})

    assert (without.status_code, made.status_code, changed.status_code) == (409, 200, 200)
    assert "secret" in without.text
    assert (changed.json()["update_webhook"], changed.json()["has_webhook_secret"]) == (HOOK, True)
    secret = made.json()["secret"]
    assert SECRET.fullmatch(secret)
    for path in (SITE, f"{SITE}/summary", f"{SITE}/webhook/deliveries", "/api/v1/sites"):
        assert secret not in (await api.get(path)).text
    assert secret not in await everything_kept(db)


async def test_a_webhook_is_kept_unless_it_is_named_and_null_removes_it(api, shop):
    await api.post(f"{SITE}/webhook/secret")
    await api.call("PATCH", SITE, json={"update_webhook": HOOK})

    kept = await api.call("PATCH", SITE, json={"settings": {"prune_days": 30}})
    removed = await api.call("PATCH", SITE, json={"update_webhook": None})

    assert (kept.json()["update_webhook"], removed.json()["update_webhook"]) == (HOOK, None)


@pytest.mark.parametrize("url", ["cms.test", "ftp://cms.test/", "https://user:word@cms.test/"])
async def test_a_bad_address_is_refused(api, shop, url):
    await api.post(f"{SITE}/webhook/secret")

    assert (await api.call("PATCH", SITE, json={"update_webhook": url})).status_code == 400


async def test_a_test_is_queued_and_listed(api, shop):
    assert (await api.post(f"{SITE}/webhook/test")).status_code == 409
    await api.post(f"{SITE}/webhook/secret")
    await api.call("PATCH", SITE, json={"update_webhook": HOOK})

    sent = await api.post(f"{SITE}/webhook/test")

    assert sent.status_code == 202
    [listed] = (await api.get(f"{SITE}/webhook/deliveries")).json()["items"]
    assert listed == sent.json()
    assert (listed["kind"], listed["state"], listed["attempts"]) == ("test", "waiting", 0)


async def test_apply_queues_a_delivery(api, shop):
    await api.post(f"{SITE}/webhook/secret")
    await api.call("PATCH", SITE, json={"update_webhook": HOOK})
    [link] = (await api.call("PUT", f"{SITE}/links/nav", json={"links": ["/none"]})).json()["links"]

    await api.post(f"{SITE}/links/{link['id']}/apply", {"to": "/about"})

    [listed] = (await api.get(f"{SITE}/webhook/deliveries")).json()["items"]
    assert (listed["kind"], listed["state"]) == ("link.update_requested", "waiting")


async def test_only_administrators_change_it(api, shop, keyed):
    for path in ("secret", "test"):
        assert (await api.post(f"{SITE}/webhook/{path}", None, "user")).status_code == 403
        own = await keyed.client.post(
            f"{SITE}/webhook/{path}", headers={"Authorization": f"Bearer {shop.key}"}
        )
        assert own.status_code == 403, "the key of a site is for its programs"
    assert (await api.get(f"{SITE}/webhook/deliveries", "user")).status_code == 200


async def test_the_form_shows_the_secret_once_and_sends_a_test(api, shop, db):
    made = await api.call("POST", "/sites/shop/webhook", data={"update_webhook": HOOK})
    [secret] = SECRET.findall(made.text)
    again = await api.call("POST", "/sites/shop/webhook", data={"update_webhook": HOOK + "/2"})
    assert again.status_code == 303
    assert (await api.call("POST", "/sites/shop/webhook/test")).status_code == 303

    text = (await api.get("/sites/shop?tab=links", "admin")).text

    assert HOOK + "/2" in text
    assert "Send a test" in text
    assert ">waiting<" in text
    assert secret not in text + await everything_kept(db)
    [second] = SECRET.findall((await api.call("POST", "/sites/shop/webhook/secret")).text)
    assert second != secret
    await api.call("POST", "/sites/shop/webhook", data={"update_webhook": ""})
    assert await db.fetchval("SELECT update_webhook FROM site") is None
    assert "Send a test" not in (await api.get("/sites/shop?tab=links", "admin")).text


async def test_a_reader_sees_no_form(api, shop):
    text = (await api.get("/sites/shop?tab=links", "user")).text

    assert "There is no webhook." in text
    assert "update_webhook" not in text
