"""So many at a time, the others in line."""

import asyncio

import pytest

from outrider.fetch.slots import Slots


async def settle():
    """Let every task run until it waits."""
    for _ in range(5):
        await asyncio.sleep(0)


def test_no_more_than_so_many_for_each_key():
    slots = Slots(2)

    assert [slots.take("a") for _ in range(3)] == [True, True, False]
    assert slots.take("b")


async def test_a_place_given_back_goes_to_the_first_in_line():
    slots, order = Slots(1), []

    async def come(name):
        await slots.wait("a")
        order.append(name)

    slots.take("a")
    tasks = [asyncio.create_task(come(name)) for name in "xyz"]
    await settle()
    assert order == []

    for expected in ("x", "xy", "xyz"):
        slots.give("a")
        await settle()
        assert "".join(order) == expected
    await asyncio.gather(*tasks)
    assert not slots.take("a")


@pytest.mark.parametrize("its_turn_came", [False, True])
async def test_who_leaves_the_line_takes_no_place_along(its_turn_came):
    slots = Slots(1)
    slots.take("a")
    leaver = asyncio.create_task(slots.wait("a"))
    await settle()

    if its_turn_came:
        slots.give("a")
    leaver.cancel()
    await asyncio.gather(leaver, return_exceptions=True)
    if not its_turn_came:
        slots.give("a")

    assert slots.take("a")
    assert not slots.take("a")
