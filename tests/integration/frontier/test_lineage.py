"""What a memory of URLs is filed under: the same as long as no row can have gone, another one afterwards."""

from itertools import count

import asyncpg
import pytest
from tests.support.database import TestServer
from tests.support.make import Operator, completion

URL, OTHER = "http://a.test/1", "http://b.test/1"

_numbers = count(1)


async def _lineage(operator: Operator) -> str:
    found = await operator.run(lambda db: operator.store.begin_flush(db, next(_numbers)))
    assert found is not None
    return found


async def test_work_that_takes_no_row_out_leaves_it_alone(operator):
    before = await _lineage(operator)
    await operator.queue(URL, OTHER)
    await operator.queue(URL, priority=9)
    leases = await operator.claim()
    await operator.complete(completion(URL), completion(OTHER, reason="gone"))
    await operator.release(*leases)
    await operator.requeue(URL)

    assert await _lineage(operator) == before


@pytest.mark.parametrize(
    "statements",
    [
        "DELETE FROM url",
        "TRUNCATE url",
        "UPDATE url SET url_hash = gen_random_uuid()",
        "UPDATE url SET host_id = 1",
        "CREATE TABLE dump AS TABLE url_lineage; TRUNCATE url_lineage; INSERT INTO url_lineage TABLE dump",
        "DELETE FROM url_lineage; DELETE FROM url",
    ],
    ids=["taken out", "all taken out", "renamed", "moved", "restored as it was", "without a lineage"],
)
async def test_every_statement_that_may_delete_rows_ends_the_lineage(operator, statements):
    await operator.queue(URL)
    before = await _lineage(operator)

    await operator.run(lambda db: db.execute(statements))

    assert await _lineage(operator) != before


async def test_a_cleared_queue_ends_it(operator):
    await operator.queue(URL)
    before = await _lineage(operator)

    await operator.run(lambda db: operator.store.clear_pending(db))

    assert await _lineage(operator) != before


async def test_a_row_gone_in_a_transaction_that_is_taken_back_is_not_gone(operator):
    await operator.queue(URL)
    before = await _lineage(operator)

    async def change_the_mind(db: asyncpg.Connection) -> None:
        await db.execute("DELETE FROM url")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await operator.run(change_the_mind)

    assert await _lineage(operator) == before


async def test_every_database_of_a_server_has_its_own(operator, postgres: TestServer):
    async with postgres.database() as dsn:
        elsewhere = await Operator.enter(dsn)
        theirs = await _lineage(elsewhere)
        await elsewhere.connection.close()

    assert theirs != await _lineage(operator)
