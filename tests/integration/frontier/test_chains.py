"""Chains of redirects: whatever servers say and whoever hears it first, following them ends."""

import asyncio
import random
from itertools import pairwise

import pytest
from tests.support.make import completion

from outrider.frontier.chains import LONGEST_CHAIN
from outrider.urls import key_of

URLS = [f"http://h{n % 3}.test/{n}" for n in range(12)]
A, B, C, D = URLS[:4]


def _moves(url, target):
    return completion(url, status=301, moved_to=key_of(target))


async def _leads(operator):
    rows = await operator.run(
        lambda db: db.fetch("SELECT url, redirects_to FROM url_frontier WHERE status = 'alias'")
    )
    return {row["url"]: row["redirects_to"] for row in rows}


async def _ends(operator):
    rows = await operator.run(lambda db: db.fetch("SELECT url, status, last_error FROM url_frontier"))
    return {row["url"]: row["last_error"] or row["status"] for row in rows}


def _steps_from(url, leads):
    """How many aliases lie on the way from here; a loop would take for ever."""
    steps = 0
    while url in leads:
        url, steps = leads[url], steps + 1
        assert steps <= len(leads), "a loop"
    return steps


async def test_two_that_lead_to_each_other_are_both_dead(operator):
    await operator.queue(A, B)
    await operator.complete(_moves(A, B))
    await operator.complete(_moves(B, A))

    assert await _ends(operator) == {A: "redirect_loop", B: "redirect_loop"}
    totals = await operator.totals()
    assert (totals.pending, totals.aliases, totals.dead) == (0, 0, 2)
    assert totals.others == {"dead.redirect_loop": 2}


async def test_a_circle_heard_of_in_one_batch_is_one(operator):
    await operator.queue(A, B, C)
    await operator.complete(_moves(A, B), _moves(B, C), _moves(C, A))

    assert set((await _ends(operator)).values()) == {"redirect_loop"}


async def test_what_leads_into_a_circle_stays_an_alias_of_something_dead(operator):
    await operator.queue(A, B, C)
    await operator.complete(_moves(C, A))
    await operator.complete(_moves(A, B))
    await operator.complete(_moves(B, A))

    assert await _ends(operator) == {A: "redirect_loop", B: "redirect_loop", C: "alias"}


async def test_what_died_in_a_circle_can_be_tried_again(operator):
    await operator.queue(A, B)
    await operator.complete(_moves(A, B))
    await operator.complete(_moves(B, A))
    await operator.requeue(A, B)
    await operator.complete(_moves(A, B), completion(B))

    assert await _ends(operator) == {A: "alias", B: "fetched"}
    assert (await operator.totals()).others == {}


async def test_a_circle_closed_from_both_sides_at_once_is_seen(operator, start_worker):
    other, watcher = await start_worker(), await start_worker()
    await operator.queue(A, B)
    a_is_held = asyncio.Event()

    async def first(db):
        async with db.transaction():
            await db.execute("UPDATE url SET depth = depth WHERE url_hash = $1", key_of(A).hash)
            if not a_is_held.is_set():  # the second time, after the deadlock, nobody waits
                a_is_held.set()
                await watcher.until_a_lock_is_awaited()
            await operator.store.complete(db, [_moves(A, B)])

    async def second(db):
        async with db.transaction():
            await other.store.complete(db, [_moves(B, A)])

    one = asyncio.create_task(operator.run(first))
    await a_is_held.wait()
    await asyncio.gather(one, other.run(second))

    assert await _ends(operator) == {A: "redirect_loop", B: "redirect_loop"}


@pytest.mark.parametrize("seed", range(6))
async def test_after_any_moves_every_chain_ends_and_the_counts_are_right(operator, start_worker, seed):
    dice = random.Random(seed)
    operators = [operator, await start_worker()]
    await operator.queue(*URLS)

    async def move(one):
        for _ in range(15):
            pairs = [dice.sample(URLS, 2) for _ in range(dice.randint(1, 4))]
            moves = {url: _moves(url, target) for url, target in pairs}
            await one.complete(*moves.values())
            if dice.random() < 0.3:
                await one.requeue(*dice.sample(URLS, 3))

    await asyncio.gather(*map(move, operators))

    leads = await _leads(operator)
    assert max((_steps_from(url, leads) for url in URLS), default=0) <= LONGEST_CHAIN
    ends, totals = await _ends(operator), await operator.totals()
    assert len(leads) == totals.aliases
    assert list(ends.values()).count("redirect_loop") == totals.dead


async def test_a_chain_longer_than_anybody_follows_is_cut(operator):
    chain = [f"http://h.test/{n}" for n in range(LONGEST_CHAIN + 3)]
    await operator.queue(*chain)
    for url, target in reversed(list(pairwise(chain))):
        await operator.complete(_moves(url, target))

    leads, ends = await _leads(operator), await _ends(operator)
    assert max(_steps_from(url, leads) for url in chain) == LONGEST_CHAIN
    assert list(ends.values()).count("too_many_redirects") == 1
