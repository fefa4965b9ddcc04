"""The host session of a lane: when the lane waits for the next request, and when it gives the host back."""

import random
from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from outrider.crawl.turn import CROWDED_S, PATIENT_S, Turn
from outrider.fetch import FetchOptions
from outrider.fetch.outcome import Request
from outrider.hosts.options import HostOptions


@pytest.fixture
def context(server):
    """The part of a worker context that a turn needs while its lease is long enough."""
    return SimpleNamespace(
        stopping=False,
        crowded=False,
        in_flight=0,
        current_urls={},
        flusher=SimpleNamespace(is_behind=False),
        fetcher=server,
        fetching=FetchOptions(timeout_s=10.0),
        host_options=HostOptions(),
        dice=random.Random(1),
        options=SimpleNamespace(turn_s=3.0),
        connection=None,
        frontier=None,
    )


async def test_a_lane_keeps_the_delay_of_its_host(lease, context, server):
    turn = Turn(lease(), context)
    for _ in range(2):
        assert await turn.wait_until_ready()
        await turn.ask(Request("http://a.test/"))

    assert server.gaps == pytest.approx([1.0])


@pytest.mark.parametrize(
    ("pause_s", "crowded", "is_ready"),
    [
        (PATIENT_S, False, True),
        (PATIENT_S + 0.1, False, False),
        (CROWDED_S, True, True),
        (CROWDED_S + 0.1, True, False),
        (3600, False, False),
    ],
)
async def test_a_host_that_must_rest_for_long_is_given_back(lease, context, pause_s, crowded, is_ready):
    context.crowded = crowded
    turn = Turn(lease(), context)
    turn.pause(pause_s)

    assert await turn.wait_until_ready() is is_ready
    assert turn.wait_s == (0 if is_ready else pause_s)


async def test_nothing_is_asked_once_the_worker_stops(lease, context):
    turn = Turn(lease(), context)
    context.stopping = True

    assert not await turn.wait_until_ready()


async def test_nothing_is_asked_while_results_wait_to_be_written(lease, context):
    context.flusher.is_behind = True

    assert not await Turn(lease(), context).wait_until_ready()


async def test_a_stop_during_the_wait_is_heard(lease, context, clock, monkeypatch):
    turn = Turn(lease(), context)
    turn.pause(1)

    async def sleep(seconds):
        clock.now += seconds
        context.stopping = True

    monkeypatch.setattr(clock, "sleep", sleep)

    assert not await turn.wait_until_ready()


async def test_no_request_goes_under_a_lost_lease(lease, context):
    turn = Turn(lease(), context)
    turn.is_lost = True

    assert not await turn.wait_until_ready()


@pytest.mark.parametrize("breaks", [False, True])
async def test_a_request_counts_as_in_flight_until_it_ends(lease, context, server, monkeypatch, breaks):
    counted = []

    async def fetch(_):
        counted.append(context.in_flight)
        if breaks:
            raise RuntimeError

    monkeypatch.setattr(server, "fetch", fetch)
    turn = Turn(lease(), context)
    with pytest.raises(RuntimeError) if breaks else nullcontext():
        await turn.ask(Request("http://a.test/"))

    assert (counted, context.in_flight) == ([1], 0)
    assert turn.wait_s == pytest.approx(1.0)


async def test_a_turn_is_long_when_its_next_request_comes_late(lease, context):
    turn = Turn(lease(), context)
    turn.pause(3)
    is_long_at_the_limit = turn.is_long
    turn.pause(3.1)

    assert not is_long_at_the_limit
    assert turn.is_long
