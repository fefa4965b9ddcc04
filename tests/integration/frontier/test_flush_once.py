"""A batch counts once, also when the answer to its commit got lost."""

import pytest


async def _begin(operator, number):
    return await operator.run(lambda db: operator.store.begin_flush(db, number))


async def test_a_batch_that_was_committed_is_not_begun_again(operator):
    begun = [await _begin(operator, number) is not None for number in (1, 1, 2, 2, 1)]

    assert begun == [True, False, True, False, False]


async def test_a_batch_that_was_rolled_back_is_begun_again(operator):
    class Broken(Exception):
        pass

    async def fail(db):
        assert await operator.store.begin_flush(db, 1)
        raise Broken

    with pytest.raises(Broken):
        await operator.run(fail)

    assert await _begin(operator, 1)


async def test_workers_number_their_batches_apart(operator, start_worker):
    other = await start_worker()
    await _begin(operator, 5)

    assert await _begin(other, 1)


async def test_counts_of_a_repeated_batch_are_added_once(operator):
    async def write(db):
        if await operator.store.begin_flush(db, 1):
            await operator.store.add_counts(db, {(1, "requests"): 3, (1, "bytes"): 4_000_000_000})

    for _ in range(2):
        await operator.run(write)

    assert (await operator.totals()).others == {"bytes": 4_000_000_000, "requests": 3}
