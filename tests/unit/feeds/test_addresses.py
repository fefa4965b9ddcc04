"""Addresses."""

import pytest

from outrider.feeds.addresses import web_address

BASE = "https://site.example/blog/"


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("https://A.example/B?utm_source=x#y", "https://A.example/B?utm_source=x#y"),
        (" /a b\n", "https://site.example/a%20b"),
        ("post.html#top", "https://site.example/blog/post.html#top"),
        ("//cdn.example/x", "https://cdn.example/x"),
        ("?page=2", "https://site.example/blog/?page=2"),
        ("file:///etc/passwd", None),
        ("javascript:alert(1)", None),
        ("data:text/html,x", None),
        ("mailto:a@b.example", None),
        ("http://", None),
        ("https://user:secret@a.example/", None),
        ("https://a.example/" + "x" * 9000, None),
        ("", None),
        (None, None),
    ],
)
def test_an_address_is_absolute_and_of_the_web_or_none(written, address):
    assert web_address(written, BASE) == address
