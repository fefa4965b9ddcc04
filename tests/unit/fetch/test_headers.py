"""Headers in both directions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.fetch import FetchOptions, Request
from outrider.fetch.headers import (
    as_text,
    keep_alive_s,
    request_headers,
    response_headers,
    standing_headers,
)

URL = "http://a.test/"


def test_every_request_says_what_we_take_and_who_we_are():
    options = FetchOptions()

    assert standing_headers(options) == {
        "User-Agent": options.agent,
        "Accept": "text/html,application/xhtml+xml",
        "Accept-Encoding": "gzip, deflate, br, zstd",
    }
    assert standing_headers(FetchOptions(accept_language="de"))["Accept-Language"] == "de"


def test_validators_are_sent_as_the_server_gave_them():
    request = Request(URL, etag='W/"é 1"', last_modified="Sun, 15 Nov 2026 12:00:00 GMT", accept="text/plain")

    assert request_headers(request) == {
        "If-None-Match": 'W/"é 1"',
        "If-Modified-Since": "Sun, 15 Nov 2026 12:00:00 GMT",
        "Accept": "text/plain",
    }


def test_a_plain_request_adds_nothing():
    assert request_headers(Request(URL)) is None


@pytest.mark.parametrize("etag", ['"a"\r\nX: y', '"a\nb"', '"\x00"', '"\ud800"', "x" * 5000])
def test_a_validator_that_cannot_be_sent_is_left_out(etag):
    assert request_headers(Request(URL, etag=etag)) == {}


@pytest.mark.parametrize("name", ["X Y", "X:", "", "X\r\nY", "Ünder"])
def test_a_header_with_an_impossible_name_is_left_out(name):
    assert request_headers(Request(URL, headers={name: "v", "X-Good": "v"})) == {"X-Good": "v"}


def test_answered_headers_are_lower_case_and_joined():
    lines = [(b"X-A", b"1"), (b"Vary", b"a \t"), (b"x-a", b"2")]

    assert response_headers(lines) == {"x-a": "1, 2", "vary": "a"}


def test_of_several_targets_the_first_counts():
    assert response_headers([(b"Location", b"/a"), (b"location", b"/b")]) == {"location": "/a"}


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"caf\xc3\xa9", "café"),
        (b"caf\xe9", "café"),
        (b"a\tb\x01\x02c", "a b c"),
        (b"\xff\xfe", "ÿþ"),
    ],
)
def test_a_value_is_read_as_browsers_read_it(raw, text):
    assert as_text(raw) == text


@given(st.binary())
def test_any_bytes_become_text_that_can_be_stored(raw):
    stored = as_text(raw).encode()

    assert b"\x00" not in stored


@given(st.text(), st.text(), st.dictionaries(st.text(), st.text()))
def test_nothing_that_is_sent_can_break_out_of_its_line(etag, last_modified, extra):
    headers = request_headers(Request(URL, etag=etag, last_modified=last_modified, headers=extra)) or {}

    assert not any({"\r", "\n", "\x00"} & set(name + value) for name, value in headers.items())


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("timeout=5, max=100", 5.0), ("Timeout = 30", 30.0), ("max=3", None), ("timeout=x", None), ("", None)],
)
def test_a_server_says_how_long_it_keeps_a_connection(value, seconds):
    assert keep_alive_s({"keep-alive": value}) == seconds
