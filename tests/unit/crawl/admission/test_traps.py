"""Shapes that are refused and shapes that must not be; what of a URL a template masks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.crawl.admission.traps import TrapOptions, is_trap_shape, template_of

SITE = "https://a.org"


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("/a/b/a/b/a/b", "path repeats /a/b"),
        ("/news/x/x/x/x", "path repeats /x"),
        ("/en/a/b/c/a/b/c/a/b/c/page", "path repeats /a/b/c"),
        ("/a/1/a/2/a/3/a/4/a", "path repeats /a"),
        ("/a/1/a/1/a/1", "path repeats /a/1"),
        ("/" + "/".join(f"s{n}" for n in range(21)), "path of 21 segments"),
        ("/list?" + "&".join(f"p{n}=1" for n in range(17)), "17 query parameters"),
        ("/list?q=" + "x" * 1_000, "query of 1002 characters"),
        ("/cart;jsessionid=0A1B2C3D", "session id in the address"),
        ("/(S(lit3py55t21z5v55vlm25s55))/page.aspx", "session id in the address"),
        ("/index.php?PHPSESSID=9c4f2a81b7d6e3f0", "session id in the address"),
        ("/index.php?a=1&sid=9c4f2a81b7d6e3f09c4f2a81", "session id in the address"),
    ],
)
def test_an_endless_shape_is_named(target, says):
    assert is_trap_shape(SITE + target) == says


@pytest.mark.parametrize(
    "target",
    [
        "/",
        "/2024/05/05",
        "/2024/05/05/05/title",
        "/tiles/0/0/0/0/0.html",
        "/1/1/1",
        "/a/a/a",
        "/a/b/a/b",
        "/wiki/a/b/a/c/a/d/a",
        "/" + "/".join(f"s{n}" for n in range(20)),
        "/list?" + "&".join(f"p{n}=1" for n in range(16)),
        "/station?sid=17",
        "/talks?session_id=12",
        "/matrix;row=1;column=2",
        "/Berlin_(Band)",
    ],
)
def test_an_honest_shape_passes(target):
    assert is_trap_shape(SITE + target) is None


def test_the_bounds_are_the_operators():
    strict = TrapOptions(most_folders=2, most_parameters=1, longest_query=5)

    assert is_trap_shape(f"{SITE}/a/b/c", strict) == "path of 3 segments"
    assert is_trap_shape(f"{SITE}/?a&b", strict) == "2 query parameters"
    assert is_trap_shape(f"{SITE}/?abcdef", strict) == "query of 6 characters"


@pytest.mark.parametrize(
    ("target", "template"),
    [
        ("/item/17", "/item/{n}"),
        ("/p/1999", "/p/{n}"),
        ("/p/12345678.html", "/p/{n}.html"),
        ("/page-2", "/page-{n}"),
        ("/cal/2031/05", "/cal/{date}"),
        ("/cal/2031/05/17", "/cal/{date}"),
        ("/cal/2031-05-17", "/cal/{date}"),
        ("/cal/20310517", "/cal/{date}"),
        ("/2024/05/17/a-fine-day", "/{date}/{slug}"),
        ("/2024/05/17/another_title-3", "/{date}/{slug}"),
        ("/2024/05/page/3", "/{date}/page/{n}"),
        ("/news/ten-things-we-saw-in-2024", "/news/{slug}"),
        ("/o/9f86d081884c7d65", "/o/{id}"),
        ("/o/123e4567-e89b-12d3-a456-426614174000/edit", "/o/{id}/edit"),
        ("/calendar?month=2031-05", "/calendar?month={date}"),
        ("/calendar?m=5&start_year=2031", "/calendar?m={v}&start_year={date}"),
        ("/shop?color=red&sort=price", "/shop?color={v}&sort={v}"),
        ("/shop?print&sort=price", "/shop?print&sort={v}"),
    ],
)
def test_variable_parts_are_masked(target, template):
    assert template_of(SITE + target) == SITE + template


@pytest.mark.parametrize("target", ["/", "/about", "/news/a-fine-day", "/docs/intro.html", "/shop?print"])
def test_a_url_without_variable_parts_has_no_template(target):
    assert template_of(SITE + target) is None


@given(st.text(alphabet="a1/-_.;?&=(){}%é", max_size=300))
def test_any_address_has_an_answer(target):
    url = f"{SITE}/{target}"

    is_trap_shape(url)
    masked = template_of(url)

    assert masked is None or masked.startswith(SITE + "/")
