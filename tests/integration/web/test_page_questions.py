"""Dangerous forms of pages ask, also where no script runs."""

import re
from html import unescape

from tests.support.api import ORIGIN

OWN = {"Origin": ORIGIN}
USERS = OWN | {"Referer": f"{ORIGIN}/users?limit=50"}
REMOVES_UMA = {"ask": 'Remove <b>uma</b>? All "their" tokens end.', "ask_label": "Remove", "more": "kept"}


async def _sign_in(api):
    form = {"name": "ada", "password": "password of ada"}
    await api.client.post("/login", data=form, headers=OWN)
    page = await api.client.get("/users")
    return {"csrf_token": re.search(r'name="csrf_token" value="([0-9a-f]{128})"', page.text)[1]}


async def _records(api):
    async with api.context.connection() as db:
        return await db.fetchval("SELECT count(*) FROM audit WHERE action = 'user.remove'")


def _fields(page, place):
    """The hidden fields of a form, by the place of its address in the page."""
    form = page.text[page.text.index(place) :].partition("</form>")[0]
    return {
        name: unescape(value) for name, value in re.findall(r'type="hidden" name="(\w+)" value="(.*?)"', form)
    }


async def test_a_form_without_a_script_is_answered_with_its_question(signed_api):
    token = await _sign_in(signed_api)

    asked = await signed_api.client.post("/users/2/remove", data=token | REMOVES_UMA, headers=USERS)

    assert asked.status_code == 200
    assert "Remove &lt;b&gt;uma&lt;/b&gt;?</h1>" in asked.text
    assert "<p>All &#34;their&#34; tokens end.</p>" in asked.text
    assert 'href="/users?limit=50" data-close>Cancel' in asked.text
    assert await _records(signed_api) == 0
    assert "uma" in (await signed_api.client.get("/users")).text


async def test_the_answer_makes_the_change(signed_api):
    token = await _sign_in(signed_api)
    asked = await signed_api.client.post("/users/2/remove", data=token | REMOVES_UMA, headers=USERS)
    action = unescape(re.search(r'id="confirm" action="([^"]+)"', asked.text)[1])
    fields = _fields(asked, 'id="confirm"')
    again = OWN | {"Referer": f"{ORIGIN}/users/2/remove"}

    made = await signed_api.client.post(action, data=fields, headers=again)
    failed = await signed_api.client.post(action, data=fields, headers=again)

    assert fields == {"csrf_token": fields["csrf_token"], "more": "kept"}
    assert (made.status_code, made.headers["location"]) == (303, "/users")
    assert await _records(signed_api) == 1
    assert failed.headers["location"] == "/users?limit=50"  # not to the question, which takes only forms


async def test_the_way_back_from_a_question_is_never_another_site(signed_api):
    token = await _sign_in(signed_api)

    failed = await signed_api.client.post(
        "/users/99/remove?asked_from=//evil.example", data=token, headers=OWN
    )

    assert failed.headers["location"] == "/overview"


async def test_every_action_that_asks_sends_its_question(signed_api):
    await _sign_in(signed_api)

    page = await signed_api.client.get("/users")

    fields = _fields(page, 'action="/users/2/remove"')
    assert fields["ask"].startswith("Remove uma ")
    assert fields["ask_label"] == "Remove"


async def test_nobody_is_asked_who_may_not_make_the_change(signed_api):
    await _sign_in(signed_api)
    signed_api.client.cookies.clear()

    answer = await signed_api.client.post("/users/2/remove", data=REMOVES_UMA, headers=USERS)

    assert answer.headers["location"].startswith("/login")
