"""The net under the frontier: hosts with work and nothing to wake them."""

from datetime import UTC, datetime

import pytest
from tests.support.make import urls_of


async def _sweep(operator, limit=1000):
    return await operator.run(lambda db: operator.store.sweep_lost_hosts(db, limit))


async def test_a_lost_host_is_found_and_woken(operator):
    await operator.queue("http://lost.test/", "http://fine.test/")
    await operator.set_host("lost.test", due_at="NULL")

    assert await _sweep(operator) == 1
    assert await _sweep(operator) == 0
    assert sorted(urls_of(await operator.claim())) == ["http://fine.test/", "http://lost.test/"]


async def test_a_lost_host_is_not_parked_by_an_important_url_of_next_week(operator):
    await operator.queue("http://lost.test/top", priority=10)
    await operator.queue("http://lost.test/low", priority=1)
    await operator.run(
        lambda db: db.execute("UPDATE url SET next_fetch_at = now() + interval '7 days' WHERE prio = 10")
    )
    await operator.set_host("lost.test", due_at="NULL")

    await _sweep(operator)

    assert urls_of(await operator.claim()) == ["http://lost.test/low"]


async def test_a_lost_host_keeps_its_delay(operator):
    await operator.queue("http://lost.test/")
    await operator.set_host("lost.test", due_at="NULL", next_allowed_at="now() + interval '1 hour'")

    assert await _sweep(operator) == 1
    assert await operator.claim() == []


@pytest.mark.parametrize(
    "columns",
    [
        pytest.param({"next_allowed_at": "'infinity'"}, id="a blocked host"),
        pytest.param({"lease_owner": "7"}, id="a leased host"),
    ],
)
async def test_what_is_not_lost_is_left_alone(operator, columns):
    await operator.queue("http://a.test/")
    await operator.set_host("a.test", due_at="NULL", **columns)

    assert await _sweep(operator) == 0


async def test_a_host_whose_urls_are_all_held_is_not_lost(operator):
    source = await operator.new_source("held")
    await operator.queue("http://a.test/", source_id=source)
    await operator.run(lambda db: operator.store.hold_source(db, source))
    await operator.set_host("a.test", due_at="NULL")

    assert await _sweep(operator) == 0


async def test_a_sweep_takes_no_more_than_asked(operator):
    for n in range(5):
        await operator.queue(f"http://h{n}.test/")
        await operator.set_host(f"h{n}.test", due_at="NULL")

    assert [await _sweep(operator, 3), await _sweep(operator, 3)] == [3, 2]


async def test_history_has_a_partition_for_this_month_and_the_next(operator):
    for _ in range(2):
        await operator.run(operator.store.run_maintenance)

    names = await operator.run(
        lambda db: db.fetch(
            "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'fetch_log'::regclass"
        )
    )
    months = sorted(row["name"] for row in names if row["name"] != "fetch_log_default")
    assert len(months) == 2
    assert months[0] == f"fetch_log_{datetime.now(UTC):%Y_%m}"
