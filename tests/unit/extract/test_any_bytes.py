"""Whatever a server sends, reading it raises nothing and yields text that can be stored."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from outrider.extract import charset, decode, extract, scan

FRAGMENTS = st.sampled_from(
    [
        b"<a href=",
        b"<base href=//",
        b"<meta name=robots content=",
        b"<meta charset=",
        b"<meta property=article:published_time content=",
        b"<script type=application/ld+json>",
        b'{"@type":"Article","author":[{"name":"\\ud800\\u0000',
        b'"}]}',
        b"</script>",
        b"<time datetime=2024-",
        b"<h1>",
        b"</h1>",
        b"<p class=byline>By ",
        b"<a class=username href=/u/a>",
        b"<meta property=og:title content=&amp;#1;",
        b"<title>",
        b"<svg>",
        b"<template>",
        b"<table>",
        b"<frameset>",
        b"<!--",
        b"&#0;",
        b"\x00",
        b"\x1b$B",
        b"\xff\xfe",
        b"\xed\xa0\x80",
        b"'",
        b'"',
        b">",
        b" ",
    ]
)
BODIES = st.lists(FRAGMENTS | st.binary(max_size=12), max_size=40).map(b"".join) | st.binary(max_size=400)
CONTENT_TYPES = st.none() | st.text(max_size=60) | st.text(max_size=20).map("text/html; charset={}".format)
URLS = st.sampled_from(
    ["https://example.com/a/b", "https://example.com/threads/a.1234/", "http://["]
) | st.text(max_size=30)


@given(BODIES, URLS, CONTENT_TYPES)
@settings(max_examples=150, deadline=None)
def test_extract_takes_any_bytes(body, url, content_type):
    page = extract(body, url, content_type)

    for text in (
        page.title,
        page.description,
        page.author,
        page.text,
        *page.links,
        *page.alternates,
        json.dumps(page.metadata.to_json(), allow_nan=False),
    ):
        assert "\x00" not in (text or "").encode().decode()


@given(BODIES, URLS, CONTENT_TYPES, st.none() | st.text(max_size=40), st.text(max_size=20))
@settings(max_examples=200, deadline=None)
def test_scan_takes_any_bytes(body, url, content_type, x_robots_tag, agent):
    page = scan(body, url, content_type, x_robots_tag, agent)

    for text in (page.title, page.description, page.text, *page.links):
        assert "\x00" not in (text or "").encode().decode()


@given(BODIES, CONTENT_TYPES)
@settings(max_examples=200, deadline=None)
def test_every_encoding_that_is_named_can_be_read(body, content_type):
    text, name = decode(body, content_type)

    assert name == charset(body, content_type)
    text.encode()
