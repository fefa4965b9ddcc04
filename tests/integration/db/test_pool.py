"""A pool speaks JSON, keeps its limits, and says in one sentence why it could not be opened."""

from datetime import timedelta
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest
from tests.support.embedded import QUICK

from outrider.db.embedded import EmbeddedPostgres
from outrider.db.pool import open_pool
from outrider.errors import Misconfigured, Unavailable


@pytest.mark.parametrize("value", [{"a": [1, None, "é"]}, [], "text", 7, None, {"nested": {"deep": True}}])
async def test_jsonb_takes_and_gives_python_values(pool, value):
    assert await pool.fetchval("SELECT $1::jsonb", value) == value


async def test_arrays_of_jsonb_travel_too(pool):
    assert await pool.fetchval("SELECT $1::jsonb[]", [{"a": 1}, {"b": [2]}]) == [{"a": 1}, {"b": [2]}]


@pytest.mark.parametrize(("asked", "mode"), [(True, "force_generic_plan"), (False, "auto")])
async def test_plans_are_generic_only_when_asked_for(database, asked, mode):
    pool = await open_pool(database, size=1, application_name="plans", generic_plans=asked)

    assert await pool.fetchval("SHOW plan_cache_mode") == mode
    assert await pool.fetchval("SHOW jit") == "off"
    assert await pool.fetchval("SHOW application_name") == "plans"
    await pool.close()


async def test_a_statement_that_takes_too_long_is_cancelled(database):
    pool = await open_pool(
        database, size=1, application_name="slow", statement_timeout=timedelta(milliseconds=50)
    )

    with pytest.raises(asyncpg.QueryCanceledError):
        await pool.execute("SELECT pg_sleep(30)")
    await pool.close()


async def test_through_a_pooler_nothing_is_kept_in_the_session(database):
    pool = await open_pool(database, size=1, application_name="pooled", through_pooler=True)

    assert await pool.fetchval("SELECT $1::jsonb", {"a": 1}) == {"a": 1}
    assert await pool.fetchval("SELECT count(*) FROM pg_prepared_statements WHERE name <> ''") == 0
    await pool.close()


async def test_a_database_that_is_not_there(database):
    missing = urlunsplit(urlsplit(database)._replace(path="/nowhere"))

    with pytest.raises(Unavailable, match="has no such database: create it, or correct the name"):
        await open_pool(missing, size=1, application_name="t")


@pytest.mark.parametrize(
    ("dsn", "family", "sentence"),
    [
        ("postgresql://u:hush@127.0.0.1:1/d", Unavailable, "nothing is listening at"),
        ("postgresql://u:hush@/d?host=/nonexistent", Unavailable, "nothing is listening at"),
        ("postgresql://u:hush@no-such-host.invalid/d", Unavailable, "does not resolve"),
        ("mysql://u:hush@127.0.0.1/d", Misconfigured, "cannot be used"),
        ("postgresql://u:hush@127.0.0.1:port/d", Misconfigured, "cannot be used"),
    ],
)
async def test_an_address_without_a_database_is_reported_without_its_secret(dsn, family, sentence):
    with pytest.raises(family, match=sentence) as caught:
        await open_pool(dsn, size=1, application_name="t")

    assert "hush" not in str(caught.value)


async def test_a_wrong_password_is_reported_without_the_password(data_dir):
    rules = data_dir / "hba.conf"
    rules.write_text("local all all scram-sha-256\n")

    with EmbeddedPostgres(data_dir, QUICK | {"hba_file": str(rules)}) as server:
        dsn = server.dsn.replace("outrider@", "outrider:hush@")
        with pytest.raises(Unavailable, match="refused the user or password") as caught:
            await open_pool(dsn, size=1, application_name="t")

    assert "hush" not in str(caught.value)
