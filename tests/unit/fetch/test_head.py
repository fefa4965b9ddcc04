"""Heads: the bytes of ours, and what theirs says about the body."""

import pytest

from outrider.fetch import Failure, FetchOptions
from outrider.fetch.failures import Problem
from outrider.fetch.head import Framing, HeadTooLarge, bound_head, framing_of, header_lines, request_bytes


def test_a_request_is_one_line_the_host_and_the_headers():
    assert request_bytes("/a", "a.test:81", "Accept: b\r\n") == (
        b"GET /a HTTP/1.1\r\nHost: a.test:81\r\nAccept: b\r\n\r\n"
    )


def test_a_form_follows_its_length():
    assert request_bytes("/a", "a.test", "", {"é": "1 2", "b": "&"}) == (
        b"POST /a HTTP/1.1\r\nHost: a.test\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        b"Content-Length: 16\r\n\r\n%C3%A9=1+2&b=%26"
    )


def test_what_is_added_replaces_what_stands_in_any_case():
    assert header_lines({"Accept": "a", "User-Agent": "b"}, {"accept": "c", "X": "d"}) == (
        "User-Agent: b\r\naccept: c\r\nX: d\r\n"
    )


@pytest.mark.parametrize(
    ("status", "headers", "framing"),
    [
        (200, {}, Framing.CONNECTION),
        (200, {"content-length": "3"}, Framing.LENGTH),
        (200, {"transfer-encoding": "Chunked "}, Framing.CHUNKED),
        (200, {"transfer-encoding": "chunked, chunked"}, Framing.CHUNKED),
        (200, {"transfer-encoding": "chunked", "content-length": "3"}, Framing.CHUNKED),
        (200, {"transfer-encoding": "identity", "content-length": "3"}, Framing.CONNECTION),
        (204, {"content-length": "3"}, Framing.NO_BODY),
        (304, {"transfer-encoding": "chunked"}, Framing.NO_BODY),
        (404, {"content-length": "0"}, Framing.LENGTH),
    ],
)
def test_a_head_says_how_its_body_ends(status, headers, framing):
    assert framing_of(status, headers) is framing


@pytest.mark.parametrize("coding", ["gzip", "gzip, chunked", "chunked, gzip", "xchunked", "chunked;q=1", ""])
def test_a_coding_that_was_not_requested_is_a_protocol_error(coding):
    with pytest.raises(Problem) as caught:
        framing_of(200, {"transfer-encoding": coding})

    assert caught.value.failure is Failure.PROTOCOL


LIMITS = FetchOptions(head_lines=3, head_line_bytes=10, head_bytes=20)


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([(b"a", b"b")] * 4, id="lines"),
        pytest.param([(b"a", b"b" * 10)], id="one line"),
        pytest.param([(b"a", b"b" * 6)] * 3, id="all lines"),
    ],
)
def test_a_head_is_bounded_in(lines):
    bound_head(lines[:-1], LIMITS)

    with pytest.raises(HeadTooLarge):
        bound_head(lines, LIMITS)


def test_a_head_request_differs_from_a_get_in_its_method_only():
    get = request_bytes("/a", "a.test", "Accept: b\r\n")

    assert request_bytes("/a", "a.test", "Accept: b\r\n", is_head=True) == get.replace(b"GET", b"HEAD", 1)
