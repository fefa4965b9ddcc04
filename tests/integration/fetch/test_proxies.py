"""Going out through proxies, without letting one reach inside for us."""

import asyncio
from contextlib import suppress

import pytest
from tests.support.hostile import Hostile, Step, head, page

from outrider.fetch import Failed, Failure, Fetched, Fetcher, Refused, Request
from outrider.settings import load

NOBODY = "http://127.0.0.1:1"


class Tunnels:
    """A proxy that speaks just enough SOCKS5 and CONNECT, and remembers where it was sent."""

    def __init__(self, tls=None):
        self._tls = tls
        self.sent_to = []

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._tls)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        self._server.close()

    async def _serve(self, reader, writer):
        with suppress(asyncio.IncompleteReadError, OSError):
            first = await reader.readexactly(1)
            port = await (self._socks(reader, writer) if first == b"\x05" else self._connect(reader, writer))
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
            await asyncio.gather(_pipe(reader, far_writer), _pipe(far_reader, writer))
        writer.close()

    async def _socks(self, reader, writer):
        await reader.readexactly((await reader.readexactly(1))[0])
        writer.write(b"\x05\x00")
        _, _, _, kind = await reader.readexactly(4)
        assert kind == 1, "an IPv4 address, not a name"
        self.sent_to.append(".".join(str(byte) for byte in await reader.readexactly(4)))
        port = int.from_bytes(await reader.readexactly(2), "big")
        writer.write(b"\x05\x00\x00\x01" + bytes(6))
        return port

    async def _connect(self, reader, writer):
        request = await reader.readuntil(b"\r\n\r\n")
        self.sent_to.append(request.split()[1].decode())
        writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
        return int(self.sent_to[-1].rpartition(":")[2])


async def _pipe(reader, writer):
    while data := await reader.read(65_536):
        writer.write(data)
        await writer.drain()
    writer.close()


@pytest.fixture
async def tunnels():
    async with Tunnels() as tunnels:
        yield tunnels


async def test_an_http_proxy_is_asked_for_the_whole_url(server, make_fetcher):
    fetcher = make_fetcher(proxies=(server.url(""),))
    server.says("http://shop.test/a", page(b"by proxy"))

    outcome = await fetcher.fetch(Request("http://shop.test/a"))

    assert isinstance(outcome, Fetched)
    assert outcome.body == b"by proxy"
    assert server.seen[0].headers["host"] == "shop.test"


async def test_switched_off_proxies_carry_nothing(server, make_fetcher):
    """The settings as an earlier crawler's environment has them."""
    environ = {
        "CRAWLER_PROXIES_ENABLED": "false",
        "CRAWLER_PROXY_URLS": NOBODY,
        "OUTRIDER_ALLOW_PRIVATE": "127.0.0.0/8",
    }
    options = load(environ=environ).settings.fetch
    server.says("/a", page(b"directly"))

    fetcher = Fetcher(options)
    outcome = await fetcher.fetch(Request(server.url("/a")))
    await fetcher.close()

    assert isinstance(outcome, Fetched)
    assert options.proxies == (NOBODY,)


async def test_proxies_take_turns(server, make_fetcher):
    async with Hostile() as other:
        fetcher = make_fetcher(proxies=(server.url(""), other.url("")))
        for proxy in (server, other):
            proxy.says("http://shop.test/", page(b"abc"), Step.KEEP)

        for _ in range(4):
            await fetcher.fetch(Request("http://shop.test/"))

        assert len(server.seen) == len(other.seen) == 2


async def test_a_dead_proxy_is_a_failure_of_its_own_and_rests(server, make_fetcher):
    fetcher = make_fetcher(proxies=(NOBODY, server.url("")))
    server.says("http://shop.test/", page(b"abc"), Step.KEEP)

    outcomes = [await fetcher.fetch(Request("http://shop.test/")) for _ in range(4)]

    assert isinstance(outcomes[0], Failed)
    assert outcomes[0].failure is Failure.PROXY
    assert all(isinstance(outcome, Fetched) for outcome in outcomes[1:])


@pytest.mark.parametrize("host", ["127.0.0.1", "no-such-proxy.invalid"])
@pytest.mark.parametrize("scheme", ["http", "socks5"])
async def test_a_proxy_that_does_not_run_is_a_proxy_failure(make_fetcher, scheme, host):
    outcome = await make_fetcher(proxies=(f"{scheme}://{host}:1",)).fetch(Request("http://shop.test/"))

    assert outcome.failure is Failure.PROXY


async def test_a_proxy_that_wants_a_password_is_a_proxy_failure(server, make_fetcher):
    server.says("http://shop.test/", page(b"", "407 Proxy Authentication Required"))

    outcome = await make_fetcher(proxies=(server.url(""),)).fetch(Request("http://shop.test/"))

    assert outcome.failure is Failure.PROXY


async def test_a_proxys_password_is_sent_to_the_proxy(server, make_fetcher):
    server.says("http://shop.test/", page(b"abc"))
    fetcher = make_fetcher(proxies=(server.url("").replace("//", "//me:word@"),))

    await fetcher.fetch(Request("http://shop.test/"))

    assert server.seen[0].headers["proxy-authorization"] == "Basic bWU6d29yZA=="


async def test_a_socks_proxy_gets_the_checked_address_and_never_the_name(server, tunnels, make_fetcher):
    fetcher = make_fetcher(proxies=(f"socks5://127.0.0.1:{tunnels.port}",))

    outcome = await fetcher.fetch(Request(server.says("/", page(b"abc"), host="shop.test")))

    assert isinstance(outcome, Fetched)
    assert tunnels.sent_to == ["127.0.0.1"]
    assert server.seen[0].headers["host"] == f"shop.test:{server.port}"


@pytest.mark.parametrize("scheme", ["http", "socks5"])
async def test_tls_reaches_through_a_proxy_to_the_server(secure, tunnels, make_fetcher, authority, scheme):
    fetcher = make_fetcher(proxies=(f"{scheme}://127.0.0.1:{tunnels.port}",), ca_file=authority)

    outcome = await fetcher.fetch(Request(secure.url("/", host="secure.test")))

    assert isinstance(outcome, Fetched)
    assert len(tunnels.sent_to) == 1


async def test_tls_reaches_through_tls_to_a_proxy(secure, server_tls, make_fetcher):
    async with Tunnels(server_tls) as tunnels:
        fetcher = make_fetcher(proxies=(f"https://127.0.0.1:{tunnels.port}",), insecure_skip_verify=True)

        outcome = await fetcher.fetch(Request(secure.url("/", host="secure.test")))

    assert isinstance(outcome, Fetched)
    assert len(tunnels.sent_to) == 1


async def test_a_certificate_we_do_not_believe_is_not_the_proxys_failure(secure, tunnels, make_fetcher):
    fetcher = make_fetcher(proxies=(f"http://127.0.0.1:{tunnels.port}",))

    outcome = await fetcher.fetch(Request(secure.url("/", host="secure.test")))

    assert outcome.failure is Failure.CERTIFICATE_SELF_SIGNED
    assert secure.seen == []


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param([page(b"", "407 Proxy Authentication Required")], id="a password is wanted"),
        pytest.param([page(b"no", "403 Forbidden")], id="forbidden"),
        pytest.param([], id="hangs up"),
        pytest.param([b"220 smtp.test\r\n"], id="not HTTP"),
        pytest.param([head("200 OK", **{f"h{n}": "x" * 1000 for n in range(100)})], id="headers too large"),
    ],
)
async def test_a_tunnel_that_is_not_opened_is_a_proxy_failure(server, make_fetcher, answer):
    server.says("shop.test:443", *answer)
    fetcher = make_fetcher(proxies=(server.url("").replace("//", "//me:word@"),))

    outcome = await fetcher.fetch(Request("https://shop.test/"))

    assert outcome.failure is Failure.PROXY
    (seen,) = server.seen
    assert (seen.method, seen.headers["host"]) == ("CONNECT", "shop.test:443")
    assert seen.headers["proxy-authorization"] == "Basic bWU6d29yZA=="
    await server.until_open(0)


async def test_a_proxys_password_is_not_sent_through_its_tunnel(secure, tunnels, make_fetcher, authority):
    proxy = f"http://me:word@127.0.0.1:{tunnels.port}"

    await make_fetcher(proxies=(proxy,), ca_file=authority).fetch(
        Request(secure.url("/", host="secure.test"))
    )

    assert "proxy-authorization" not in secure.seen[0].headers


@pytest.mark.parametrize("url", ["http://shop.test/", "https://shop.test/"])
async def test_a_proxy_that_says_nothing_is_cut_off_by_the_deadline(server, make_fetcher, url):
    server.says("http://shop.test/", Step.HANG)
    server.says("shop.test:443", Step.HANG)

    outcome = await make_fetcher(proxies=(server.url(""),)).fetch(Request(url, timeout_s=0.2))

    assert outcome.failure is Failure.TIMEOUT
    await server.until_open(0)


async def test_a_slow_tunnel_is_distinguished_from_a_slow_page(server, make_fetcher, monkeypatch):
    monkeypatch.setattr("outrider.fetch.routes._CONNECT_S", 0.1)
    server.says("shop.test:443", Step.HANG)

    outcome = await make_fetcher(proxies=(server.url(""),)).fetch(Request("https://shop.test/"))

    assert outcome.failure is Failure.PROXY


async def test_a_tunnel_is_used_again(secure, tunnels, make_fetcher, authority):
    fetcher = make_fetcher(proxies=(f"http://127.0.0.1:{tunnels.port}",), ca_file=authority)

    for _ in range(3):
        assert isinstance(await fetcher.fetch(Request(secure.url("/", host="secure.test"))), Fetched)

    assert len(tunnels.sent_to) == 1


@pytest.mark.parametrize("target", ["http://inside.test/", "http://127.0.0.1/", "http://10.1.2.3/"])
@pytest.mark.parametrize("scheme", ["http", "socks5"])
async def test_no_proxy_is_asked_to_reach_inside(tunnels, make_fetcher, scheme, target):
    fetcher = make_fetcher(allow_private=(), proxies=(f"{scheme}://127.0.0.1:{tunnels.port}",))

    outcome = await fetcher.fetch(Request(target))

    assert isinstance(outcome, Refused)
    assert tunnels.sent_to == []
