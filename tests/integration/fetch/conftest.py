"""A hostile server on loopback and a fetcher that may talk to it, on both event loops we run on."""

import asyncio

import pytest
import uvloop
from tests.support.hostile import Hostile

from outrider.fetch import Fetcher, FetchOptions
from outrider.fetch.guard import networks_of
from outrider.fetch.names import parse_rules

LOOPBACK = networks_of(["127.0.0.0/8", "::1"])
TEST_NAMES = parse_rules("*.test=127.0.0.1")


def pytest_asyncio_loop_factories():
    return {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}


@pytest.fixture
async def server():
    async with Hostile() as server:
        yield server


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
