"""The net under the frontier: hosts with work and nothing to wake them."""

from datetime import UTC, datetime

import pytest
from tests.support.make import urls_of


async def _sweep(clerk, limit=1000):
    return await clerk.run(lambda db: clerk.store.sweep_lost_hosts(db, limit))


async def test_a_lost_host_is_found_and_woken(clerk):
    await clerk.queue("http://lost.test/", "http://fine.test/")
    await clerk.set_host("lost.test", due_at="NULL")

    assert await _sweep(clerk) == 1
    assert await _sweep(clerk) == 0
    assert sorted(urls_of(await clerk.claim())) == ["http://fine.test/", "http://lost.test/"]


async def test_a_lost_host_is_not_parked_by_an_important_url_of_next_week(clerk):
    await clerk.queue("http://lost.test/top", priority=10)
    await clerk.queue("http://lost.test/low", priority=1)
    await clerk.run(lambda db: db.execute("UPDATE url SET q_at = now() + interval '7 days' WHERE prio = 10"))
    await clerk.set_host("lost.test", due_at="NULL")

    await _sweep(clerk)

    assert urls_of(await clerk.claim()) == ["http://lost.test/low"]


async def test_a_lost_host_keeps_its_delay(clerk):
    await clerk.queue("http://lost.test/")
    await clerk.set_host("lost.test", due_at="NULL", next_allowed_at="now() + interval '1 hour'")

    assert await _sweep(clerk) == 1
    assert await clerk.claim() == []


@pytest.mark.parametrize(
    "columns",
    [
        pytest.param({"next_allowed_at": "'infinity'"}, id="a blocked host"),
        pytest.param({"lease_owner": "7"}, id="a leased host"),
    ],
)
async def test_what_is_not_lost_is_left_alone(clerk, columns):
    await clerk.queue("http://a.test/")
    await clerk.set_host("a.test", due_at="NULL", **columns)

    assert await _sweep(clerk) == 0


async def test_a_host_whose_urls_are_all_held_is_not_lost(clerk):
    source = await clerk.new_source("held")
    await clerk.queue("http://a.test/", source_id=source)
    await clerk.run(lambda db: clerk.store.hold_source(db, source))
    await clerk.set_host("a.test", due_at="NULL")

    assert await _sweep(clerk) == 0


async def test_a_sweep_takes_no_more_than_asked(clerk):
    for n in range(5):
        await clerk.queue(f"http://h{n}.test/")
        await clerk.set_host(f"h{n}.test", due_at="NULL")

    assert [await _sweep(clerk, 3), await _sweep(clerk, 3)] == [3, 2]


async def test_history_has_a_partition_for_this_month_and_the_next(clerk):
    for _ in range(2):
        await clerk.run(clerk.store.keep_house)

    names = await clerk.run(
        lambda db: db.fetch(
            "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'fetch_log'::regclass"
        )
    )
    months = sorted(row["name"] for row in names if row["name"] != "fetch_log_default")
    assert len(months) == 2
    assert months[0] == f"fetch_log_{datetime.now(UTC):%Y_%m}"
