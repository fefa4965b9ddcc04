"""Whatever a server does has a name, ends, and leaves nothing behind."""

import gzip

import pytest
from tests.support.hostile import Drip, Step, head, page

from outrider.fetch import Failed, Failure, Fetched, Redirected, Rejected, Request

CHUNKED = head(transfer_encoding="chunked")
OK = b"HTTP/1.1 200 OK\r\n"

FAILURES = {
    "hangs up without a word": (Failure.RESET, []),
    "hangs up within the headers": (Failure.RESET, [OK + b"Content-Le"]),
    "breaks the connection at once": (Failure.RESET, [Step.RESET]),
    "breaks the connection within a body without length": (Failure.RESET, [head(), b"abc", Step.RESET]),
    "sends less than it promised": (Failure.SHORT_BODY, [head(content_length=100), b"abc"]),
    "breaks within what it promised": (Failure.SHORT_BODY, [head(content_length=100), b"abc", Step.RESET]),
    "never sends the last chunk": (Failure.SHORT_BODY, [CHUNKED, b"3\r\nabc\r\n"]),
    "speaks HTTP/0.9": (Failure.PROTOCOL, [b"<html>hello</html>"]),
    "speaks SMTP": (Failure.PROTOCOL, [b"220 mail.test ready\r\n", Step.HANG]),
    "speaks nothing known": (Failure.PROTOCOL, [bytes(range(256)), Step.HANG]),
    "is from the future": (Failure.PROTOCOL, [b"HTTP/9.9 200 OK\r\n\r\n"]),
    "sends a chunk size that is none": (Failure.PROTOCOL, [CHUNKED, b"3\r\nabc\r\n", b"zz\r\n", Step.HANG]),
    "sends a chunk longer than its size": (Failure.PROTOCOL, [CHUNKED, b"3\r\nabcdef\r\n", Step.HANG]),
    "sends a chunk of 2^68 bytes": (Failure.PROTOCOL, [CHUNKED, b"F" * 17 + b"\r\n", Step.HANG]),
    "sends an endless chunk extension": (Failure.PROTOCOL, [CHUNKED, b"3;", Drip(b"a" * 60_000)]),
    "sends chunks of one byte for ever": (Failure.PROTOCOL, [CHUNKED, Drip(b"1\r\nx\r\n" * 10_000)]),
    "has status 0": (Failure.PROTOCOL, [b"HTTP/1.1 000 Zero\r\nContent-Length: 0\r\n\r\n"]),
    "has status 99": (Failure.PROTOCOL, [page(b"", "99 Low")]),
    "has status 1000": (Failure.PROTOCOL, [page(b"", "1000 High")]),
    "has a negative status": (Failure.PROTOCOL, [page(b"", "-5 No")]),
    "has a status in letters": (Failure.PROTOCOL, [page(b"", "two hundred")]),
    "promises two lengths": (Failure.PROTOCOL, [OK + b"Content-Length: 3\r\nContent-Length: 5\r\n\r\nabcde"]),
    "promises a negative length": (Failure.PROTOCOL, [head(content_length=-3), b"abc"]),
    "promises a length in letters": (Failure.PROTOCOL, [head(content_length="three"), b"abc"]),
    "promises 10^26 bytes": (Failure.PROTOCOL, [head(content_length="9" * 26), b"abc"]),
    "promises one length twice": (Failure.PROTOCOL, [OK + b"Content-Length: 3\r\n" * 2 + b"\r\nabc"]),
    "promises a list of lengths": (Failure.PROTOCOL, [head(content_length="3, 3"), b"abc"]),
    "promises a length with a sign": (Failure.PROTOCOL, [head(content_length="+3"), b"abc"]),
    "promises a length in hexadecimal": (Failure.PROTOCOL, [head(content_length="0x3"), b"abc"]),
    "promises an empty length": (Failure.PROTOCOL, [head(content_length=""), b"abc"]),
    "packs the chunks in a way nobody asked for": (
        Failure.PROTOCOL,
        [head(transfer_encoding="gzip, chunked"), b"3\r\nabc\r\n0\r\n\r\n"],
    ),
    "packs around the chunks": (Failure.PROTOCOL, [head(transfer_encoding="chunked, gzip"), b"abc"]),
    "sends in a coding that only looks like chunks": (
        Failure.PROTOCOL,
        [head(transfer_encoding="xchunked"), b"3\r\nabc\r\n0\r\n\r\n"],
    ),
    "sends a chunk size with a sign": (Failure.PROTOCOL, [CHUNKED, b"+3\r\nabc\r\n", Step.HANG]),
    "sends a chunk size with a prefix": (Failure.PROTOCOL, [CHUNKED, b"0x3\r\nabc\r\n", Step.HANG]),
    "sends a chunk without a size": (Failure.PROTOCOL, [CHUNKED, b"\r\nabc\r\n", Step.HANG]),
    "ends a chunk's size with a line feed only": (Failure.PROTOCOL, [CHUNKED, b"3\nabc\r\n", Step.HANG]),
    "sends a little of a chunk of 2^64-1 bytes": (Failure.SHORT_BODY, [CHUNKED, b"F" * 16 + b"\r\nabc"]),
    "has a control character in a chunk extension": (Failure.PROTOCOL, [CHUNKED, b"3;\x01\r\nabc\r\n"]),
    "has a space in a header's name": (Failure.PROTOCOL, [OK + b"X Y: a\r\nContent-Length: 0\r\n\r\n"]),
    "has a space before a colon": (Failure.PROTOCOL, [OK + b"Content-Length : 0\r\n\r\n"]),
    "has a header without a colon": (Failure.PROTOCOL, [OK + b"nonsense\r\nContent-Length: 0\r\n\r\n"]),
    "has a header without a name": (Failure.PROTOCOL, [OK + b": a\r\nContent-Length: 0\r\n\r\n"]),
    "has a carriage return in a header": (Failure.PROTOCOL, [OK + b"X: a\rb\r\nContent-Length: 0\r\n\r\n"]),
    "ends its lines with a carriage return only": (Failure.PROTOCOL, [b"HTTP/1.1 200 OK\rX: a\r\rabc"]),
    "has a NUL in a header": (Failure.PROTOCOL, [OK + b"X: a\x00b\r\nContent-Length: 0\r\n\r\n"]),
    "has a NUL in a header's name": (Failure.PROTOCOL, [OK + b"X\x00: a\r\nContent-Length: 0\r\n\r\n"]),
    "sends interim answers for ever": (
        Failure.HEADERS_TOO_LARGE,
        [Drip(b"HTTP/1.1 100 Continue\r\n\r\n" * 1000)],
    ),
    "sends headers for ever": (Failure.HEADERS_TOO_LARGE, [OK, Drip(b"X-A: b\r\n" * 100)]),
    "sends one header for ever": (Failure.HEADERS_TOO_LARGE, [OK + b"X: ", Drip(b"x" * 10_000)]),
    "sends a header's name for ever": (Failure.HEADERS_TOO_LARGE, [OK, Drip(b"x" * 10_000)]),
    "sends a reason for ever": (Failure.HEADERS_TOO_LARGE, [b"HTTP/1.1 200 ", Drip(b"x" * 10_000)]),
    "sends trailers for ever": (Failure.HEADERS_TOO_LARGE, [CHUNKED, b"0\r\n", Drip(b"X-A: b\r\n" * 100)]),
    "sends 100 kB of headers": (
        Failure.HEADERS_TOO_LARGE,
        [head(**{f"h{n}": "x" * 1000 for n in range(100)})],
    ),
    "sends 10,000 headers": (Failure.HEADERS_TOO_LARGE, [OK + b"X: a\r\n" * 10_000 + b"\r\n"]),
    "sends a header of 17 kB": (Failure.HEADERS_TOO_LARGE, [head(x="y" * 17_000, content_length=0)]),
    "sends one trailer for ever": (Failure.PROTOCOL, [CHUNKED, b"0\r\nX: ", Drip(b"x" * 10_000)]),
    "sends empty lines for ever": (Failure.HEADERS_TOO_LARGE, [Drip(b"\r\n" * 10_000)]),
    "announces a body too large": (Failure.TOO_LARGE, [head(content_length=10**11), Step.HANG]),
    "sends a body for ever": (Failure.TOO_LARGE, [head(), Drip(b"x" * 100_000)]),
    "sends large chunks for ever": (
        Failure.TOO_LARGE,
        [CHUNKED, Drip(b"10000\r\n" + b"x" * 65_536 + b"\r\n")],
    ),
    "packs 200 MB into a little": (
        Failure.TOO_LARGE,
        [page(gzip.compress(bytes(200_000_000), 1), content_encoding="gzip")],
    ),
    "says gzip and means text": (Failure.BAD_ENCODING, [page(b"plain text", content_encoding="gzip")]),
    "packs in a way unheard of": (Failure.BAD_ENCODING, [page(b"abc", content_encoding="sdch")]),
    "cuts its gzip short": (Failure.SHORT_BODY, [page(gzip.compress(b"abc")[:-4], content_encoding="gzip")]),
}


@pytest.mark.parametrize(("failure", "script"), FAILURES.values(), ids=FAILURES)
async def test_a_server_that(server, fetcher, failure, script):
    url = server.says("/", *script)

    outcome = await fetcher.fetch(Request(url))

    assert isinstance(outcome, Failed)
    assert outcome.failure is failure
    assert outcome.message.isascii()
    assert len(outcome.message) <= 200
    assert len(server.seen) == 1
    await server.until_open(0)


ODD_BUT_USABLE = {
    "only a line feed ends its lines": [b"HTTP/1.1 200 OK\nContent-Length: 3\n\nabc"],
    "it says no reason": [b"HTTP/1.1 200\r\nContent-Length: 3\r\n\r\nabc"],
    "empty lines come first": [b"\r\n\r\n" + page(b"abc")],
    "a header is folded": [OK + b"X: a\r\n  b\r\nContent-Length: 3\r\n\r\nabc"],
    "a header holds control characters": [OK + b"X: a\x01\x7fb\r\nContent-Length: 3\r\n\r\nabc"],
    "it speaks HTTP/1.0": [b"HTTP/1.0 200 OK\r\n\r\nabc"],
    "its end is the length": [head(), b"abc"],
    "a few interim answers come first": [b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" * 3, page(b"abc")],
    "one header has 15 kB": [head(x="y" * 15_000, content_length=3), b"abc"],
    "a second answer follows": [page(b"abc") + page(b"def")],
    "it comes byte by byte": [bytes([byte]) for byte in page(b"abc")],
    "a length stands beside chunks": [
        head(transfer_encoding="chunked", content_length=9),
        b"3\r\nabc\r\n0\r\n\r\n",
    ],
    "it says chunked twice": [
        OK + b"Transfer-Encoding: chunked\r\n" * 2 + b"\r\n3\r\nabc\r\n0\r\n\r\n",
    ],
    "its transfer coding is none": [head(transfer_encoding="identity"), b"abc"],
    "it offers an upgrade": [page(b"abc", upgrade="h2,h2c", connection="Upgrade, Keep-Alive")],
    "an interim answer has a length": [head("100 Continue", content_length=7), page(b"abc")],
    "rubbish follows": [page(b"abc") + bytes(range(256))],
    "chunk sizes have zeros before and spaces behind": [CHUNKED, b"0003  \r\nabc\r\n0\r\n\r\n"],
    "a trailer promises a length": [CHUNKED, b"3\r\nabc\r\n0\r\nContent-Length: 9\r\n\r\n"],
    "chunks carry extensions and trailers": [CHUNKED, b'3;a="b"\r\nabc\r\n0\r\nX-T: 1\r\n\r\n'],
}


@pytest.mark.parametrize("script", ODD_BUT_USABLE.values(), ids=ODD_BUT_USABLE)
async def test_an_odd_answer_is_taken_although(server, fetcher, script):
    outcome = await fetcher.fetch(Request(server.says("/", *script)))

    assert isinstance(outcome, Fetched)
    assert outcome.body == b"abc"


async def test_an_upgrade_without_a_request_for_it_is_a_rejection(server, fetcher):
    url = server.says("/", head("101 Switching Protocols", upgrade="h2c", connection="upgrade"), Step.HANG)

    outcome = await fetcher.fetch(Request(url))

    assert isinstance(outcome, Rejected)
    await server.until_open(0)


@pytest.mark.parametrize(
    "script",
    [
        pytest.param([Step.HANG], id="silence"),
        pytest.param([OK, Drip(b"X-A: b\r\n", 0.02)], id="headers one by one"),
        pytest.param([head(content_length=10_000), Drip(b"x", 0.02)], id="a body byte by byte"),
        pytest.param([CHUNKED, Drip(b"1\r\nx\r\n", 0.02)], id="a chunk at a time"),
        pytest.param([head(content_length=100), Drip(b"x", 0.02)], id="a body that is whole too late"),
    ],
)
async def test_the_deadline_ends_it_all(server, fetcher, script):
    url = server.says("/", *script)

    outcome = await fetcher.fetch(Request(url, timeout_s=0.3))

    assert isinstance(outcome, Failed)
    assert outcome.failure is Failure.TIMEOUT
    await server.until_open(0)


@pytest.mark.parametrize("status", ["301 Moved", "404 Not Found", "503 Busy"])
async def test_a_known_outcome_does_not_wait_for_a_body_without_use(server, fetcher, status):
    url = server.says("/", head(status, location="/new", content_length=10), Step.HANG)

    outcome = await fetcher.fetch(Request(url, timeout_s=0.3))

    assert isinstance(outcome, Redirected | Rejected)
    assert outcome.exchange.status == int(status[:3])
    await server.until_open(0)
