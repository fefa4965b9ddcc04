"""The server of a simulation does nothing at a time of its own, and is gone with it."""

import asyncio

import asyncpg

from outrider.simulate.database import own_database

# With any of them otherwise, the same seed gave other plans, and so other reports.
STEADY = {
    "synchronous_commit": "on",
    "max_parallel_workers_per_gather": "0",
    "autovacuum": "off",
    "max_logical_replication_workers": "0",
}


async def settings_of(dsn: str) -> dict[str, str]:
    db = await asyncpg.connect(dsn)
    try:
        return {name: await db.fetchval(f"SHOW {name}") for name in STEADY}
    finally:
        await db.close()


def test_nothing_depends_on_when_the_server_gets_round_to_it():
    with own_database(None) as dsn:
        assert asyncio.run(settings_of(dsn)) == STEADY
