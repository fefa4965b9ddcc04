"""A hostile server on loopback and a fetcher that may talk to it, on both event loops we run on."""

import asyncio
import ssl
from pathlib import Path

import pytest
import uvloop
from tests.support.hostile import Hostile, Step, page

from outrider.fetch import Fetcher, FetchOptions
from outrider.fetch.guard import networks_of
from outrider.fetch.names import parse_rules

CERTIFICATES = Path(__file__).parent / "certificates"
LOOPBACK = networks_of(["127.0.0.0/8", "::1"])
TEST_NAMES = parse_rules("*.test=127.0.0.1")


def pytest_asyncio_loop_factories():
    return {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}


@pytest.fixture
async def server():
    async with Hostile() as server:
        yield server


@pytest.fixture
def tls_as():
    """What a server needs to be `secure.test`, which vouches for itself, or one that it vouches for."""

    def make(name):
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(CERTIFICATES / f"{name}.pem")
        return context

    return make


@pytest.fixture
def server_tls(tls_as):
    return tls_as("secure.test")


@pytest.fixture
async def secure(server_tls):
    """The same with TLS, as `secure.test`."""
    async with Hostile(tls=server_tls) as server:
        server.says("/", page(b"abc"), Step.KEEP)
        yield server


@pytest.fixture
def authority():
    """The certificate that vouches for `secure.test` and the others."""
    return CERTIFICATES / "authority.pem"


@pytest.fixture
async def make_fetcher():
    """Fetchers with options of their own; closed after the test."""
    made = []

    def make(clock=None, **options):
        defaults = {"allow_private": LOOPBACK, "resolve": TEST_NAMES, "timeout_s": 20.0}
        made.append(Fetcher(FetchOptions(**{**defaults, **options}), clock))
        return made[-1]

    yield make
    for fetcher in made:
        await fetcher.close()


@pytest.fixture
def fetcher(make_fetcher):
    return make_fetcher()
