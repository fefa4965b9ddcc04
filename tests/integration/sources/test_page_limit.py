"""Page limits hold exactly, however many ask at once."""

import asyncio

import pytest
from tests.support.make import Operator

from outrider.sources.page_limit import reserve_pages, return_pages, settle_pages


@pytest.fixture
async def operators(database):
    entered = [await Operator.enter(database) for _ in range(8)]
    yield entered
    for each in entered:
        await each.connection.close()


@pytest.fixture
def operator(operators):
    return operators[0]


@pytest.mark.parametrize("limit", [1, 50, 100])
async def test_many_at_once_get_the_limit_and_not_one_more(operator, operators, limit):
    source = await operator.new_source("limited")

    async def reserve_all(one):
        got = []
        while granted := await one.run(lambda db: reserve_pages(db, source, 8, limit)):
            got.append(granted)
        return sum(got)

    granted = await asyncio.gather(*(reserve_all(one) for one in operators))

    assert sum(granted) == limit


async def test_what_is_returned_is_granted_again(operator):
    source = await operator.new_source("limited")
    reserve = lambda db: reserve_pages(db, source, 8, 10)  # noqa: E731
    first = [await operator.run(reserve) for _ in range(3)]
    await operator.run(lambda db: return_pages(db, source, 3))

    assert first == [8, 2, 0]
    assert [await operator.run(reserve), await operator.run(reserve)] == [3, 0]


async def test_a_lowered_limit_grants_nothing_and_takes_nothing_back(operator):
    source = await operator.new_source("limited")
    await operator.run(lambda db: reserve_pages(db, source, 8, 100))

    assert await operator.run(lambda db: reserve_pages(db, source, 8, 5)) == 0
    assert await operator.run(lambda db: reserve_pages(db, source, 8, 10)) == 2


async def test_what_a_crash_left_reserved_is_free_after_the_next_start(operator):
    source = await operator.new_source("limited")
    await operator.run(lambda db: reserve_pages(db, source, 8, 10))
    await operator.run(lambda db: operator.store.add_counts(db, {(source, "pages"): 3}))

    await operator.run(lambda db: settle_pages(db, source))

    assert await operator.run(lambda db: reserve_pages(db, source, 10, 10)) == 7
