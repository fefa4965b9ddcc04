"""What the hosts are doing, as somebody sees it who looks on."""

import asyncpg
import pytest
from tests.support.make import Operator, completion

from outrider.workers.monitor_queries import HostActivity, MonitorQueries


@pytest.fixture
async def operator(database):
    operator = await Operator.enter(database)
    yield operator
    await operator.connection.close()


async def host_activity(operator: Operator) -> HostActivity:
    return await operator.run(MonitorQueries().host_activity)


async def test_a_host_with_more_to_do_rests_between_two_requests_and_one_without_waits(operator):
    await operator.queue("http://slow.test/1", "http://slow.test/2", "http://done.test/1")
    leases = {lease.host: lease for lease in await operator.claim()}
    await operator.complete(completion(leases["slow.test"].entries[0]))
    await operator.complete(completion(leases["done.test"].entries[0], retry_in_s=20))
    under_way = await host_activity(operator)

    for lease in leases.values():
        await operator.release(lease, wait_s=5)

    after = await host_activity(operator)
    assert (under_way.leased, under_way.resting_in_s) == (2, None)
    assert after.leased == 0
    assert after.resting_in_s == pytest.approx(after.due_in_s)
    assert 0 < after.resting_in_s <= 5

    await operator.run(lambda db: db.execute("UPDATE host SET due_at = NULL WHERE due_at <= next_allowed_at"))
    left = await host_activity(operator)
    assert left.resting_in_s is None, "the other host is to be asked again later: nothing of it is due"
    assert 5 < left.due_in_s <= 20


async def test_a_source_without_feeds_is_searched_once_before_anybody_calls_it_a_day(operator):
    async def add(db: asyncpg.Connection) -> None:
        await db.execute(
            "INSERT INTO source (name, url, kind, mode) VALUES ('a', 'http://a.test/', 'watch', 'feed')"
        )

    async def say(what: str) -> bool:
        await operator.run(lambda db: db.execute(f"UPDATE source SET {what}"))
        return (await host_activity(operator)).is_searching

    assert not (await host_activity(operator)).is_searching
    await operator.run(add)

    assert await say("searched_at = NULL")
    assert await say("searched_at = now(), search_errors = 1"), "it is going on"
    assert not await say("search_errors = 0")
    assert not await say("search_errors = 1, search_notes = '{it answered 503}'")
