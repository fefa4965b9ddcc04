"""Where we go: only to vetted addresses, on every hop, however they are spelt."""

import asyncio
import socket
import threading

import pytest
from tests.support.hostile import page

from outrider.fetch import Failed, Failure, Fetched, FetchOptions, Refusal, Refused, Request
from outrider.fetch.connect import open_socket
from outrider.fetch.guard import BlockedAddress, networks_of
from outrider.fetch.names import parse_rules
from outrider.fetch.resolver import GuardedResolver


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "127.0.0.1.", "127.1", "2130706433", "0x7f.1", "0177.0.0.1", "[::1]", "[::ffff:127.0.0.1]"],
)
async def test_loopback_is_refused_in_every_spelling_without_a_connection(server, make_fetcher, host):
    fetcher = make_fetcher(allow_private=())

    outcome = await fetcher.fetch(Request(server.says("/", page(b"abc"), host=host)))

    assert isinstance(outcome, Refused)
    assert outcome.refusal is Refusal.BLOCKED_ADDRESS
    assert server.connections == 0


async def test_a_refusal_names_the_address(server, make_fetcher):
    fetcher = make_fetcher(allow_private=())

    outcome = await fetcher.fetch(Request(server.url("/", host="inside.test")))

    assert outcome.refusal is Refusal.BLOCKED_ADDRESS
    assert outcome.message.startswith("inside.test at 127.0.0.1 ")


async def test_a_name_in_the_hosts_file_is_vetted_like_any_other(server, make_fetcher):
    url = server.says("/", page(b"abc"), host="localhost")

    refused = await make_fetcher(allow_private=()).fetch(Request(url))
    allowed = await make_fetcher().fetch(Request(url))

    assert isinstance(refused, Refused)
    assert isinstance(allowed, Fetched)


async def test_a_redirect_inside_is_refused_on_its_hop(server, make_fetcher):
    fetcher = make_fetcher(allow_private=networks_of(["127.0.0.1"]), resolve=parse_rules("a.test=127.0.0.1"))
    url = server.says("/", page(b"", "302 Found", location="http://169.254.169.254/latest/"), host="a.test")

    redirected = await fetcher.fetch(Request(url))
    outcome = await fetcher.fetch(Request(redirected.follow))

    assert isinstance(outcome, Refused)
    assert outcome.refusal is Refusal.BLOCKED_ADDRESS


async def test_the_next_address_is_tried_when_one_refuses(server, make_fetcher, monkeypatch):
    Book(monkeypatch, ("127.0.0.9", "127.0.0.8", "127.0.0.1"))

    outcome = await make_fetcher().fetch(Request(server.says("/", page(b"abc"), host="a.example")))

    assert isinstance(outcome, Fetched)
    assert outcome.exchange.address == "127.0.0.1"


async def test_a_server_on_ipv6_is_asked_by_its_literal_address(fetcher):
    async def answer(reader, writer):
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(page(b"abc"))
        writer.close()

    asked: list[bytes] = []
    async with await asyncio.start_server(answer, "::1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        outcome = await fetcher.fetch(Request(f"http://[::1]:{port}/"))

    assert isinstance(outcome, Fetched)
    assert outcome.exchange.address == "::1"
    assert f"\r\nHost: [::1]:{port}\r\n".encode() in asked[0]


async def test_an_address_is_judged_once_more_when_its_socket_is_made():
    with pytest.raises(BlockedAddress):
        await open_socket(["127.0.0.1"], 80, allow=())


async def test_a_port_without_a_listener_refuses_the_connection(fetcher):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/"
        outcome = await fetcher.fetch(Request(url))

    assert isinstance(outcome, Failed)
    assert outcome.failure is Failure.REFUSED


async def test_a_name_that_does_not_exist_is_a_dns_failure(fetcher):
    outcome = await fetcher.fetch(Request("http://no-such-name.invalid/"))

    assert isinstance(outcome, Failed)
    assert outcome.failure is Failure.DNS
    assert "no-such-name.invalid" in outcome.message


class Book:
    """Stands in for the system's name lookup, and counts."""

    def __init__(self, monkeypatch, *answers):
        self._answers, self.asked = list(answers), 0
        monkeypatch.setattr("outrider.fetch.resolver._getaddrinfo", self._answer)

    def _answer(self, host):
        self.asked += 1
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.fixture
async def make_resolver():
    made = []

    def make(**options):
        made.append(GuardedResolver(FetchOptions(**options)))
        return made[-1]

    yield make
    for resolver in made:
        await resolver.close()


async def test_one_private_address_among_public_ones_refuses_the_name(monkeypatch, make_resolver):
    Book(monkeypatch, ("93.184.216.34", "10.0.0.1"))

    with pytest.raises(BlockedAddress):
        await make_resolver().addresses("a.example")


async def test_many_requests_for_a_name_share_one_lookup(monkeypatch, make_resolver):
    book, resolver = Book(monkeypatch, ("93.184.216.34",)), make_resolver()

    found = await asyncio.gather(*(resolver.addresses("a.example") for _ in range(20)))
    await resolver.addresses("a.example")

    assert set(found) == {("93.184.216.34",)}
    assert book.asked == 1


async def test_an_answer_is_forgotten_in_time_and_vetted_anew(monkeypatch, make_resolver):
    Book(monkeypatch, ("93.184.216.34",), ("127.0.0.1",))
    resolver = make_resolver(dns_cache_s=0)
    await resolver.addresses("a.example")

    with pytest.raises(BlockedAddress):
        await resolver.addresses("a.example")


async def test_a_failed_lookup_is_remembered_for_a_moment(monkeypatch, make_resolver):
    book, resolver = Book(monkeypatch, socket.gaierror(-2, "unknown")), make_resolver()

    for _ in range(3):
        with pytest.raises(OSError, match=r"a\.example: unknown"):
            await resolver.addresses("a.example")

    assert book.asked == 1


async def test_closing_ends_a_lookup_as_a_failure_and_not_as_a_cancellation(monkeypatch, make_resolver):
    busy = threading.Event()
    monkeypatch.setattr("outrider.fetch.resolver._getaddrinfo", lambda _: busy.wait(10) and ("8.8.8.8",))
    resolver = make_resolver()
    waiting = asyncio.create_task(resolver.addresses("a.example"))
    await asyncio.sleep(0)

    await resolver.close()
    with pytest.raises(OSError, match="the resolver is closed"):
        await waiting

    busy.set()


@pytest.mark.parametrize("host", ["a" * 64 + ".example", "a..example", "\udcff.example", "xn--\u2028"])
async def test_a_name_that_cannot_be_one_is_a_failure(make_resolver, host):
    with pytest.raises(OSError, match=r"."):
        await make_resolver().addresses(host)
