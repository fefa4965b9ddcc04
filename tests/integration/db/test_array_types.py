"""A new connection knows the arrays of PostgreSQL's types, and asks the server for none of them."""

from datetime import UTC, date, datetime, timedelta
from uuid import UUID

import pytest

from outrider.db.array_types import ARRAYS
from outrider.db.reconnecting import ReconnectingConnection

VALUES = {
    "_bool": [True, None, False],
    "_bytea": [b"a,b", b""],
    "_int2": [-1, 2],
    "_int4": [-(1 << 31), 2],
    "_int8": [1 << 40, None],
    "_float4": [0.5],
    "_float8": [0.1, float("inf")],
    "_date": [date(2026, 3, 4)],
    "_timestamptz": [datetime(2026, 3, 4, 5, tzinfo=UTC)],
    "_interval": [timedelta(seconds=7)],
    "_uuid": [UUID(int=7)],
}


async def test_the_types_are_those_of_the_server(pool):
    rows = await pool.fetch(
        "SELECT typname, oid, typelem, typdelim = ',' AS has_commas FROM pg_type WHERE typname = ANY ($1)",
        [name for name, _, _ in ARRAYS],
    )

    assert {(row["typname"], row["oid"], row["typelem"]) for row in rows} == set(ARRAYS)
    assert all(row["has_commas"] for row in rows)


@pytest.mark.parametrize("through", ["pool", "reconnecting"])
async def test_arrays_travel_without_a_question_to_the_server(database, pool, through):
    async def send_all(db) -> list[str]:
        asked = []
        with db.query_logger(lambda query: asked.append(query.query)):
            for name, values in VALUES.items():
                assert await db.fetchval(f"SELECT $1::{name.removeprefix('_')}[]", values) == values
        return asked

    if through == "pool":
        async with pool.acquire() as db:
            asked = await send_all(db)
    else:
        connection = ReconnectingConnection(database, application_name="arrays")
        asked = await connection.run(send_all)
        await connection.close()
    assert len(asked) == len(VALUES)
    assert not [query for query in asked if "pg_type" in query]


def test_each_array_is_tried():
    assert set(VALUES) == {name for name, _, _ in ARRAYS}
