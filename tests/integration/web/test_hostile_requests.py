"""Hostile requests against the server as `outrider serve` runs it: an error in our shape, and it goes on."""

import asyncio
import json

import psutil
import pytest
from tests.support.api_server import fill, server_process

HEAD = b"Host: a\r\nAuthorization: Bearer %s\r\n"
JSON = HEAD + b"Content-Type: application/json\r\n"
MOST_GROWTH = 150 << 20  # of the memory of the server over all requests
LOGIN = b"POST /api/v1/auth/login HTTP/1.1\r\n"
SUBMIT = b"POST /api/v1/frontier/submit HTTP/1.1\r\n"


def sent(line: bytes, body: bytes, head: bytes = JSON) -> bytes:
    return line + head + b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(body) + body


def url(value: object) -> bytes:
    return json.dumps({"url": value}).encode()


def get(target: bytes, version: bytes = b"1.1", more: bytes = b"") -> bytes:
    return b"GET %s HTTP/%s\r\n" % (target, version) + HEAD + more + b"Connection: close\r\n\r\n"


MANY = b"&".join(b"p%d=1" % each for each in range(100_000))
REQUESTS = {
    "broken JSON": (sent(SUBMIT, b'{"url": '), (400,)),
    "no JSON at all": (sent(SUBMIT, b"\xff\xfe\x00"), (400, 422)),
    "an empty body": (sent(SUBMIT, b""), (400, 422)),
    "a list instead of an object": (sent(SUBMIT, b"[]"), (422,)),
    "JSON of 100,000 levels": (sent(SUBMIT, b"[" * 100_000 + b"]" * 100_000), (400, 422)),
    "objects of 50,000 levels": (sent(SUBMIT, b'{"url":' * 50_000 + b"1" + b"}" * 50_000), (400, 422)),
    "a body of 10 MB": (sent(SUBMIT, b'{"url": "' + b"a" * 10_000_000 + b'"}'), (413,)),
    "a body of 10 MB in chunks": (
        SUBMIT
        + JSON
        + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
        + (b"100000\r\n" + b"a" * 0x100000 + b"\r\n") * 10
        + b"0\r\n\r\n",
        (413,),
    ),
    "a NUL byte in a body": (sent(SUBMIT, url("http://a.test/\0")), (201, 400, 422)),
    "a NUL byte in a name": (
        sent(b"POST /api/v1/sources HTTP/1.1\r\n", b'{"url":"http://a.test/","name":"a\\u0000b"}'),
        (201, 400, 422),
    ),
    "half of a surrogate pair": (
        sent(b"POST /api/v1/sources HTTP/1.1\r\n", b'{"url":"http://a.test/","name":"a\\ud800b"}'),
        (400, 422),
    ),
    "a number of 400 digits": (
        sent(SUBMIT, b'{"url":"http://a.test/","priority":%s}' % (b"9" * 400)),
        (400, 422),
    ),
    "a number of 100,000 digits": (
        sent(SUBMIT, b'{"url":"http://a.test/","priority":%s}' % (b"9" * 100_000)),
        (400, 422),
    ),
    "NaN": (sent(SUBMIT, b'{"url":"http://a.test/","priority":NaN}'), (400, 422)),
    "a number beyond every float": (sent(SUBMIT, b'{"url":"http://a.test/","priority":1e999}'), (400, 422)),
    "text for a number": (sent(SUBMIT, b'{"url":"http://a.test/","priority":"5"}'), (422,)),
    "an object for text": (sent(SUBMIT, url({"a": 1})), (422,)),
    "another content type": (
        sent(SUBMIT, b"url=http://a.test/", HEAD + b"Content-Type: application/x-www-form-urlencoded\r\n"),
        (400, 415, 422),
    ),
    "a content type that is none": (
        sent(SUBMIT, b"{}", HEAD + b"Content-Type: \xff;;;=\r\n"),
        (400, 415, 422),
    ),
    "multipart without a boundary": (
        sent(
            b"POST /api/v1/sources/import HTTP/1.1\r\n", b"x", HEAD + b"Content-Type: multipart/form-data\r\n"
        ),
        (400, 415, 422),
    ),
    "multipart of 5,000 parts": (
        sent(
            b"POST /api/v1/sources/import HTTP/1.1\r\n",
            b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n' * 5_000 + b"--x--\r\n",
            HEAD + b"Content-Type: multipart/form-data; boundary=x\r\n",
        ),
        (400, 415, 422),
    ),
    "100,000 parameters": (get(b"/api/v1/jobs?" + MANY), (414, 431)),
    "2,000 parameters": (get(b"/api/v1/jobs?" + MANY[:13_000]), (400,)),
    "a parameter of 12,000 characters": (get(b"/api/v1/jobs?search=" + b"a" * 12_000), (422,)),
    "a NUL byte in a parameter": (get(b"/api/v1/jobs?search=%00"), (200, 400, 422)),
    "bytes that are no UTF-8 in a parameter": (get(b"/api/v1/jobs?search=%ff%fe"), (200, 400, 422)),
    "a NUL byte in a path": (get(b"/api/v1/jobs/%00"), (400, 404, 422)),
    "bytes that are no UTF-8 in a path": (get(b"/api/v1/jobs/%ff%fe"), (400, 404, 422)),
    "a huge number in a path": (get(b"/api/v1/runs/" + b"9" * 19), (400, 404, 422)),
    "a huge offset": (get(b"/api/v1/jobs?offset=99999999999999999999"), (422,)),
    "a negative limit": (get(b"/api/v1/jobs?limit=-1"), (422,)),
    "a path that climbs": (get(b"/assets/../../../../etc/passwd"), (404,)),
    "a path that climbs, encoded": (get(b"/assets/..%2f..%2f..%2fetc/passwd"), (404,)),
    "many headers": (get(b"/health", more=b"".join(b"X-%d: a\r\n" % n for n in range(150))), (431,)),
    "thousands of headers": (
        get(b"/health", more=b"".join(b"X-%d: a\r\n" % n for n in range(5_000))),
        (431,),
    ),
    "a header of 1 MB": (get(b"/health", more=b"X-Long: " + b"a" * (1 << 20) + b"\r\n"), (431,)),
    "a cookie that is none": (get(b"/api/v1/jobs", more=b"Cookie: \xff=;;;===\r\n"), (200,)),
    "a host that is none": (
        b"GET /health HTTP/1.1\r\nHost: \xff\xfe[::\r\nConnection: close\r\n\r\n",
        (200, 400),
    ),
    "an old key of a repeated request": (
        sent(SUBMIT, b"{}", JSON + b"Idempotency-Key: " + b"a" * 300 + b"\r\n"),
        (400,),
    ),
    "HTTP/1.0": (get(b"/health", version=b"1.0"), (200,)),
    "HTTP/3.7": (get(b"/health", version=b"3.7"), (400,)),
    "two lengths": (
        LOGIN + HEAD + b"Content-Length: 2\r\nContent-Length: 3\r\nConnection: close\r\n\r\n{}",
        (400,),
    ),
    "a length and chunks": (
        LOGIN
        + HEAD
        + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n",
        (400,),
    ),
    "a negative length": (LOGIN + HEAD + b"Content-Length: -1\r\nConnection: close\r\n\r\n", (400,)),
    "a chunk with a length that is none": (
        LOGIN + JSON + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
        (400,),
    ),
    "a header with a bare carriage return": (get(b"/health", more=b"X: a\rb\r\n"), (400, 200)),
    "a method that is none": (b"FETCH /health HTTP/1.1\r\n" + HEAD + b"\r\n", (400, 405)),
    "a handshake of TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", (400,)),
}


async def exchange(port: int, data: bytes) -> bytes:
    """Send everything while reading what comes back, until the server closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)

    async def send() -> None:
        try:
            writer.write(data)
            await writer.drain()
        except ConnectionError:
            pass

    sending = asyncio.create_task(send())
    try:
        async with asyncio.timeout(60):
            answer = b""
            try:
                while part := await reader.read(1 << 16):
                    answer += part
            except ConnectionError:
                pass
            return answer
    finally:
        sending.cancel()
        writer.close()


def wrong(answer: bytes, statuses: tuple[int, ...]) -> str | None:
    """What is wrong with an answer."""
    head, _, body = answer.partition(b"\r\n\r\n")
    status = int(head[9:12]) if head.startswith(b"HTTP/1.") else 0
    if status not in statuses:
        return f"{status}: {answer[:300]!r}"
    if status >= 400:
        try:
            told = json.loads(body)
        except ValueError:
            return f"{status} without JSON: {body[:300]!r}"
        if not {"error", "code"} <= set(told) or not told["error"]:
            return f"{status} without a sentence: {body[:300]!r}"
    return None


@pytest.fixture
async def server(database, tmp_path):
    """The process, its port and the key of an administrator."""
    keys = await fill(database)
    with server_process(database, tmp_path) as (process, address):
        yield process, int(address.rpartition(":")[2]), keys.admin.encode()


async def test_hostile_requests_get_a_sentence_and_the_server_goes_on(server, tmp_path):
    process, port, key = server
    memory = psutil.Process(process.pid).memory_info
    await exchange(port, get(b"/health").replace(b"%s", key))
    before, mistakes = memory().rss, []

    for name, (request, statuses) in REQUESTS.items():
        data = request.replace(b"%s", key, 1)
        if found := wrong(await exchange(port, data), statuses):
            mistakes.append(f"{name}: {found}")

    assert not mistakes, "\n".join(mistakes)
    assert wrong(await exchange(port, get(b"/health").replace(b"%s", key)), (200,)) is None
    assert memory().rss - before < MOST_GROWTH
    assert (tmp_path / "server.log").read_text() == ""


async def test_pipelined_requests_are_answered_in_their_order(server):
    _, port, key = server
    one = b"GET /api/v1/jobs?limit=%d HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + key + b"\r\n"
    data = b"".join((one % n) + b"\r\n" for n in range(1, 20)) + (one % 20) + b"Connection: close\r\n\r\n"

    answer = await exchange(port, data)

    limits = [int(each.split(b',"offset"')[0]) for each in answer.split(b'"limit":')[1:]]
    assert limits == list(range(1, 21))


async def test_slow_clients_do_not_keep_others_waiting(server):
    _, port, key = server
    slow = []
    for n in range(100):
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(LOGIN + b"Host: a\r\n" + (b"Content-Length: 50\r\n\r\n{" if n % 2 else b"X-Slow: "))
        slow.append(writer)

    answer = await exchange(port, get(b"/api/v1/jobs").replace(b"%s", key))
    for writer in slow:
        writer.close()

    assert wrong(answer, (200,)) is None
