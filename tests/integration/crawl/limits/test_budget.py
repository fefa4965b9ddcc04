"""The page limit as workers spend it."""

import asyncio

import pytest
from tests.support.make import Clerk

from outrider.crawl.limits.budget import Budget
from outrider.crawl.plan import Plan
from outrider.sources.owners import UrlOwner
from outrider.sources.policy import Policy


@pytest.fixture
async def clerks(database):
    hired = [await Clerk.enter(database) for _ in range(3)]
    yield hired
    for clerk in hired:
        await clerk.line.close()


async def _plan(clerk, max_pages):
    return _plan_of(await clerk.new_source("limited"), Policy(max_pages=max_pages))


def _plan_of(source_id, policy):
    return Plan.of(UrlOwner(source_id, "limited", policy), 10)


async def _spend_all(budget, plan):
    spent = 0
    while await budget.take(plan):
        spent += 1
    return spent


async def test_without_a_limit_nobody_is_asked(clerks):
    budget = Budget(clerks[0].line)

    assert await budget.take(_plan_of(99, Policy()))


@pytest.mark.parametrize("limit", [0, 1, 8, 50])
async def test_workers_together_spend_exactly_the_limit(clerks, limit):
    plan = await _plan(clerks[0], limit)
    budgets = [Budget(clerk.line) for clerk in clerks]

    spent = await asyncio.gather(*(_spend_all(budget, plan) for budget in budgets))

    assert sum(spent) == limit
    assert all(budget.is_spent for budget in budgets)


async def test_a_page_given_back_is_spent_by_another(clerks):
    plan = await _plan(clerks[0], 3)
    budget = Budget(clerks[0].line)
    await _spend_all(budget, plan)

    budget.give_back(plan)

    assert await _spend_all(budget, plan) == 1


async def test_what_a_worker_leaves_unspent_is_there_for_others(clerks):
    plan = await _plan(clerks[0], 10)
    first, second = [Budget(clerk.line) for clerk in clerks[:2]]
    await first.take(plan)
    await first.settle()

    assert await _spend_all(second, plan) == 9
