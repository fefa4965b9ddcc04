"""The page limit as workers spend it."""

import asyncio

import pytest
from tests.support.make import Operator

from outrider.crawl.limits.budget import PageBudget
from outrider.crawl.plan import CrawlPlan
from outrider.sources.owners import UrlOwner
from outrider.sources.policy import Policy


@pytest.fixture
async def operators(database):
    workers = [await Operator.enter(database) for _ in range(3)]
    yield workers
    for operator in workers:
        await operator.connection.close()


async def _plan(operator, max_pages):
    return _plan_of(await operator.new_source("limited"), Policy(max_pages=max_pages))


def _plan_of(source_id, policy):
    return CrawlPlan.of(UrlOwner(source_id, "limited", policy), 10)


async def _spend_all(budget, plan):
    spent = 0
    while await budget.take(plan):
        spent += 1
    return spent


async def test_without_a_limit_there_is_no_query(operators):
    budget = PageBudget(operators[0].connection)

    assert await budget.take(_plan_of(99, Policy()))


@pytest.mark.parametrize("limit", [0, 1, 8, 50])
async def test_workers_together_spend_exactly_the_limit(operators, limit):
    plan = await _plan(operators[0], limit)
    budgets = [PageBudget(operator.connection) for operator in operators]

    spent = await asyncio.gather(*(_spend_all(budget, plan) for budget in budgets))

    assert sum(spent) == limit
    assert all(budget.is_spent for budget in budgets)


async def test_a_page_given_back_is_spent_by_another(operators):
    plan = await _plan(operators[0], 3)
    budget = PageBudget(operators[0].connection)
    await _spend_all(budget, plan)

    budget.give_back(plan)

    assert await _spend_all(budget, plan) == 1


async def test_what_a_worker_leaves_unspent_is_there_for_others(operators):
    plan = await _plan(operators[0], 10)
    first, second = [PageBudget(operator.connection) for operator in operators[:2]]
    await first.take(plan)
    await first.settle()

    assert await _spend_all(second, plan) == 9
