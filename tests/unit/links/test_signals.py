"""What the body and the headers of an answer give away."""

import pytest

from outrider.links.evidence import Wall
from outrider.links.signals import page_signals

URL = "http://shop.test/a"


@pytest.mark.parametrize(
    ("body", "headers", "is_error", "wall"),
    [
        ("<title>Just a moment...</title>", {}, True, Wall.CHALLENGE),
        ("<title>Just a moment...</title>", {}, False, Wall.CHALLENGE),
        ("<p>not here</p>", {"cf-mitigated": "challenge"}, True, Wall.CHALLENGE),
        ("", {"x-datadome": "protected"}, True, Wall.CHALLENGE),
        ("<p>not here</p>", {"server": "cloudflare", "cf-ray": "1"}, True, None),
        ("<form><div class=g-recaptcha></div></form>", {}, False, None),
        ("<form><div class=g-recaptcha></div></form>", {}, True, Wall.CHALLENGE),
        ("<p>This domain is for sale</p>", {}, False, Wall.PARKED),
        ("<p>Related searches</p>", {}, False, None),
        (f"<p>{'long article ' * 200} just a moment...</p>", {}, False, None),
        (f"<p>{'long article ' * 200} this domain is for sale</p>", {}, False, None),
        ("<p>There is no such page</p>", {}, True, None),
    ],
)
def test_walls(body, headers, is_error, wall):
    found = page_signals(body.encode(), URL, "text/html", headers, is_error=is_error)

    assert (found.wall if found else None) is wall


def test_fragments_and_links_of_a_page():
    html = b'<base href="/b/"><p id=one><a name=two href="c#three">x</a><img src="//i.test/p.png">'

    found = page_signals(html, URL, "text/html", {}, wants_ids=True)

    assert found is not None
    assert found.ids == {"one", "two"}
    assert found.links == ("http://shop.test/b/c#three", "http://i.test/p.png")


def test_links_of_a_page_are_those_of_a_file_and_mistakes_are_kept():
    html = (
        b"<link rel=preconnect href=//h.test><meta http-equiv=refresh content='0; url=m.html'>"
        b"<img srcset='b.png 1x, c.png 2x'><object data=o.pdf></object><video poster=p.png></video>"
        b"<a href='http://shop.test]'>x</a><a href='mailto:a@shop.test'>x</a><a href='file:///a'>x</a>"
        b"<a href='http://[" + b"1" * 70_000 + b"'>x</a>"
    )
    found = page_signals(html, "http://shop.test/d/", "text/html", {}, wants_ids=True)

    assert found is not None
    assert found.links == (
        *(f"http://shop.test/d/{name}" for name in ("m.html", "b.png", "c.png", "o.pdf", "p.png")),
        "http://shop.test]",
    )


@pytest.mark.parametrize("body", [b"\0" * 1000, b"<" * 100_000, b"<a href=" * 10_000, b"\xff\xfe<p>"])
def test_hostile_bodies_are_read(body):
    page_signals(body, URL, "text/html", {}, wants_ids=True)
