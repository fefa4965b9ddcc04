"""A batch counts once, also when the answer to its commit got lost."""

import pytest


async def _begin(clerk, number):
    return await clerk.run(lambda db: clerk.store.begin_flush(db, number))


async def test_a_batch_that_was_committed_is_not_begun_again(clerk):
    begun = [await _begin(clerk, number) is not None for number in (1, 1, 2, 2, 1)]

    assert begun == [True, False, True, False, False]


async def test_a_batch_that_was_rolled_back_is_begun_again(clerk):
    class Broken(Exception):
        pass

    async def fail(db):
        assert await clerk.store.begin_flush(db, 1)
        raise Broken

    with pytest.raises(Broken):
        await clerk.run(fail)

    assert await _begin(clerk, 1)


async def test_workers_number_their_batches_apart(clerk, hire):
    other = await hire()
    await _begin(clerk, 5)

    assert await _begin(other, 1)


async def test_counts_of_a_repeated_batch_are_added_once(clerk):
    async def write(db):
        if await clerk.store.begin_flush(db, 1):
            await clerk.store.add_counts(db, {(1, "requests"): 3, (1, "bytes"): 4_000_000_000})

    for _ in range(2):
        await clerk.run(write)

    assert (await clerk.totals()).others == {"bytes": 4_000_000_000, "requests": 3}
