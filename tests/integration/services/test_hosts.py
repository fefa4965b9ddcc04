"""Use cases of hosts."""

import pytest

from outrider.errors import InvalidInput, NotFound
from outrider.hosts import store
from outrider.hosts.options import LONGEST_DELAY_MS, HostOptions
from outrider.hosts.view import HostFilter, HostOrder
from outrider.robots.store import RobotsStore
from outrider.services.as_json import as_json
from outrider.services.hosts import hosts
from outrider.services.hosts.hosts import (
    block_host,
    list_hosts,
    reset_host,
    set_host_delay,
    show_host,
    unblock_host,
)
from outrider.services.paging import PageRequest, TotalIs
from outrider.urls import host_id_of

HOST, OTHER = "a.test", "b.test"


@pytest.fixture
async def known(operator):
    await operator.queue(f"http://{HOST}/1", f"http://{HOST}/2", f"http://{OTHER}/")


async def _ask(operator, use_case, *arguments):
    return await operator.run(lambda db: use_case(db, *arguments))


async def test_a_list_has_a_page_of_hosts_and_its_total(operator, known):
    found = await _ask(operator, list_hosts, HostOrder.PAGES, PageRequest(limit=1, offset=1))

    assert [host.host for host in found.items] == [OTHER]
    assert (found.total, found.total_is) == (2, TotalIs.EXACT)


DELAYS = {
    "one delay": [1000] * 12,
    "each its own": [100 * n for n in range(12)],
    "few are longer": [1000] * 9 + [5000, 2000, 5000],
    "many are longer": [5000] * 9 + [1000] * 3,
    "a rare one is the last": [1000, 9000, 1000, 1000, 9000, 1000, 1000, 1000, 5000, 1000, 7000, 1000],
}


@pytest.mark.parametrize("walked", [4, 7, 1000])
@pytest.mark.parametrize("delays", DELAYS.values(), ids=DELAYS)
async def test_hosts_by_delay_are_in_the_order_of_their_names(operator, monkeypatch, delays, walked):
    monkeypatch.setattr(store, "WALKED", walked)
    names = [f"{letter}.test" for letter in "kbhadcgfejil"]
    await operator.queue(*(f"http://{name}/" for name in names))
    for name, delay in zip(names, delays, strict=True):
        await operator.set_host(
            name, delay_ms=f"{delay - 100}" if delay else "0", penalty_ms=f"{min(delay, 100)}"
        )
    right = [name for _, name in sorted(zip((-each for each in delays), names, strict=True))]

    for limit, offset in ((3, 0), (3, 2), (5, 6), (12, 0)):
        found = await _ask(operator, list_hosts, HostOrder.DELAY, PageRequest(limit=limit, offset=offset))
        assert [host.host for host in found.items] == right[offset : offset + limit]
        assert (found.next is None) == (offset + limit >= len(right))


async def test_more_hosts_than_are_counted_are_at_least_that_many(operator, known, monkeypatch):
    monkeypatch.setattr(hosts, "MOST_COUNTED", 1)
    wanted = HostFilter(search="test")

    found = await _ask(operator, list_hosts, HostOrder.PAGES, PageRequest(limit=1), wanted)

    assert (found.total, found.total_is) == (1, TotalIs.AT_LEAST)


async def test_more_hosts_than_are_counted_are_estimated_by_the_statistics(operator, known, monkeypatch):
    monkeypatch.setattr(hosts, "MOST_COUNTED", 1)
    await operator.run(lambda db: db.execute("ANALYZE host_info"))

    found = await _ask(operator, list_hosts, HostOrder.PAGES, PageRequest(limit=1))

    assert (found.total, found.total_is) == (2, TotalIs.ESTIMATE)


async def test_one_host_tells_how_many_of_its_urls_wait_and_needs_no_request_for_an_average(operator, known):
    found = await _ask(operator, show_host, HOST)

    assert (found.host, found.queued, found.answer_ms) == (HOST, 2, 0)
    assert list(as_json(found))[-2:] == ["answer_ms", "queued"], "what robots.txt asks for is not printed"
    with pytest.raises(NotFound, match=r"nowhere\.test is not known here"):
        await _ask(operator, show_host, "nowhere.test")


async def test_a_block_needs_a_reason_and_can_be_lifted(operator, known):
    with pytest.raises(InvalidInput, match="needs a reason"):
        await _ask(operator, block_host, HOST, "  ", HostOptions())
    assert not (await _ask(operator, show_host, HOST)).is_blocked

    blocked = await _ask(operator, block_host, HOST, "r" * 1_000, HostOptions())
    freed = await _ask(operator, unblock_host, HOST)

    assert (blocked.is_blocked, blocked.block_reason) == (True, "r" * 500)
    assert (freed.is_blocked, freed.block_reason) == (False, None)


async def test_a_reset_lifts_a_block(operator, known):
    await _ask(operator, block_host, HOST, "its owner asked", HostOptions())

    assert not (await _ask(operator, reset_host, HOST)).is_blocked


async def test_a_delay_is_never_shorter_than_robots_txt_asks(operator, known):
    rules = b"User-agent: *\nCrawl-delay: 3\n"
    stored = {"host_id": host_id_of(HOST), "origin": f"http://{HOST}", "status": 200, "body": rules}
    await operator.run(lambda db: RobotsStore().remember(db, **stored, life_s=3600))

    shorter = await _ask(operator, set_host_delay, HOST, 1_000, HostOptions())
    longer = await _ask(operator, set_host_delay, HOST, 5_000, HostOptions())

    assert (shorter.asked_delay_ms, shorter.delay_ms, shorter.robots_delay_s) == (1_000, 3_000, 3.0)
    assert (longer.asked_delay_ms, longer.delay_ms) == (5_000, 5_000)
    with pytest.raises(InvalidInput, match="at most a day"):
        await _ask(operator, set_host_delay, HOST, LONGEST_DELAY_MS + 1, HostOptions())
