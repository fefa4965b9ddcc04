"""Workers that take many URLs of one source owe for them together (SPI-06)."""

import asyncio
import time

import pytest
from tests.support.make import Operator

from outrider.crawl.limits.new_url_limit import BURST, NewUrlLimit
from outrider.crawl.limits.shared_url_debts import share_url_debts

PER_S = 100.0


async def _take(operator: Operator, new_url_limit: NewUrlLimit, source_id: int, urls: int) -> None:
    new_url_limit.pause_s(source_id, urls, time.monotonic(), PER_S)
    await share_url_debts(new_url_limit, operator.connection, PER_S)


def _waits_s(new_url_limit: NewUrlLimit, source_id: int) -> float:
    return new_url_limit.pause_s(source_id, 0, time.monotonic(), PER_S)


async def test_what_one_worker_took_the_next_one_waits_for(operator: Operator):
    source, one, other = await operator.new_source("news"), NewUrlLimit(), NewUrlLimit()

    await _take(operator, one, source, BURST)
    await _take(operator, other, source, 5_000)

    assert _waits_s(one, source) == 0
    assert _waits_s(other, source) == pytest.approx(50, abs=5)


async def test_time_pays_it_off(operator: Operator):
    source, one, other = await operator.new_source("news"), NewUrlLimit(), NewUrlLimit()
    await _take(operator, one, source, 5_000)
    await operator.run(lambda db: db.execute("UPDATE source SET owed_at = now() - interval '1 minute'"))

    await _take(operator, other, source, BURST)

    assert _waits_s(other, source) == 0


async def test_sources_owe_for_themselves(operator: Operator):
    many, few, new_url_limit = (
        await operator.new_source("many"),
        await operator.new_source("few"),
        NewUrlLimit(),
    )
    new_url_limit.pause_s(many, 5_000, time.monotonic(), PER_S)

    await _take(operator, new_url_limit, few, 500)

    assert (_waits_s(new_url_limit, many) > 30, _waits_s(new_url_limit, few)) == (True, 0)


async def test_workers_that_share_many_sources_at_once_do_not_lock_each_other_out(
    operator: Operator, database: str
):
    sources = [await operator.new_source(f"source {n}") for n in range(20)]
    other = await Operator.enter(database)

    async def take_all(one: Operator, order: list[int]) -> None:
        for _ in range(20):
            new_url_limit = NewUrlLimit()
            for source in order:
                new_url_limit.pause_s(source, 100, time.monotonic(), PER_S)
            await share_url_debts(new_url_limit, one.connection, PER_S)

    await asyncio.gather(take_all(operator, sources), take_all(other, sources[::-1]))
    await other.connection.close()

    least = await operator.run(
        lambda db: db.fetchval("SELECT min(owed) FROM source WHERE source_id = ANY ($1)", sources)
    )
    assert least > 2 * 20 * 100 - PER_S * 30
