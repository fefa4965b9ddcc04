"""Pages answer people: they lead to the sign-in, say what is wrong, and escape what was crawled."""

from outrider.web.dashboard.rendering import cut, href


async def test_a_reader_who_is_not_signed_in_is_led_to_the_sign_in_and_back(api):
    answer = await api.get("/overview?since=1", role="anonymous")

    assert answer.status_code == 303
    assert answer.headers["location"] == "/login?next=%2Foverview%3Fsince%3D1"


async def test_the_front_page_leads_to_the_overview(api):
    answer = await api.get("/")

    assert (answer.status_code, answer.headers["location"]) == (303, "/overview")


async def test_the_overview_shows_the_menu_of_the_role(api):
    user, admin = await api.get("/overview"), await api.get("/overview", role="admin")

    assert user.status_code == admin.status_code == 200
    assert 'href="/jobs"' in user.text
    assert 'href="/users"' not in user.text
    assert 'href="/users"' in admin.text


def test_only_web_addresses_are_links():
    assert href("https://example.com/") == "https://example.com/"
    assert href("javascript:alert(1)") is None
    assert href(" http://example.com/") is None


def test_a_text_is_cut_and_keeps_no_control_characters():
    assert cut("x" * 200, 10) == "x" * 9 + "…"
    assert cut("a‮b\nc") == "a�b�c"
