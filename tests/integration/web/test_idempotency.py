"""A POST with an `Idempotency-Key` is carried out once, however often and however concurrently it is sent."""

import asyncio

import pytest
from tests.support.api import api_on

from outrider.auth.model import Role
from outrider.errors import Conflict
from outrider.web.dependencies import Db, RequestBody
from outrider.web.router import ApiRouter

router = ApiRouter("tests")
KEY = {"Idempotency-Key": "order-1"}


class Order(RequestBody):
    name: str
    fails: bool = False


async def _count(db: Db, order: Order) -> dict[str, int]:
    made = await db.fetchval("INSERT INTO made VALUES (DEFAULT, $1) RETURNING id", order.name)
    if order.fails:
        raise Conflict("out of stock")
    return {"id": made}


router.post("/orders", Role.USER, summary="Order", action="order.make", status=201)(_count)
router.post("/bulk", Role.USER, summary="Order", action="order.bulk", in_transaction=False)(_count)
router.post("/secret", Role.USER, summary="Order", action="order.secret", is_secret=True)(_count)


@pytest.fixture
async def shop(pool):
    await pool.execute("CREATE TABLE made (id int PRIMARY KEY GENERATED ALWAYS AS IDENTITY, name text)")
    made = api_on(pool, routers=[router])
    async with made.client:
        yield made


async def test_a_repeat_gets_the_first_answer_and_changes_nothing(shop, pool):
    first = await shop.post("/orders", {"name": "a"}, headers=KEY)
    again = await shop.post("/orders", {"name": "a"}, headers=KEY)

    assert (first.status_code, first.json()) == (again.status_code, again.json()) == (201, {"id": 1})
    assert "idempotent-replay" not in first.headers
    assert again.headers["idempotent-replay"] == "true"
    assert await pool.fetchval("SELECT count(*) FROM made") == 1


@pytest.mark.parametrize("path", ["/orders", "/bulk"])
async def test_of_concurrent_requests_one_is_carried_out(shop, pool, path):
    answers = await asyncio.gather(*(shop.post(path, {"name": "a"}, headers=KEY) for _ in range(5)))

    assert await pool.fetchval("SELECT count(*) FROM made") == 1
    assert {answer.status_code for answer in answers} <= {200, 201, 409}


async def test_the_key_of_another_request_is_refused(shop):
    await shop.post("/orders", {"name": "a"}, headers=KEY)
    other = await shop.post("/orders", {"name": "b"}, headers=KEY)

    assert other.status_code == 409
    assert "another request" in other.json()["error"]


async def test_two_callers_may_use_the_same_key(shop, pool):
    await shop.post("/orders", {"name": "a"}, headers=KEY)
    await shop.post("/orders", {"name": "a"}, role="user", headers=KEY)

    assert await pool.fetchval("SELECT count(*) FROM made") == 2


@pytest.mark.parametrize("path", ["/orders", "/bulk"])
async def test_a_request_that_failed_can_be_sent_again(shop, path):
    failed = await shop.post(path, {"name": "a", "fails": True}, headers=KEY)
    again = await shop.post(path, {"name": "a", "fails": False}, headers=KEY)

    assert failed.status_code == 409
    assert again.status_code < 300


async def test_a_secret_is_not_kept(shop, pool):
    await shop.post("/secret", {"name": "a"}, headers=KEY)
    again = await shop.post("/secret", {"name": "a"}, headers=KEY)

    assert (again.status_code, again.json()["code"]) == (409, "already_done")


@pytest.mark.parametrize("key", ["", "x" * 256, "two words"])
async def test_a_key_that_cannot_be_used_is_refused(shop, key):
    assert (await shop.post("/orders", {"name": "a"}, headers={"Idempotency-Key": key})).status_code == 400
