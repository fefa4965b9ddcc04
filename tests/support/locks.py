"""Waits until a connection of this database waits for a lock."""

import asyncpg

_WAITS = (
    "SELECT EXISTS (SELECT FROM pg_stat_activity "
    "WHERE datname = current_database() AND wait_event_type = 'Lock')"
)


async def wait_for_a_lock(db: asyncpg.Connection) -> None:
    while not await db.fetchval(_WAITS):
        await db.execute("SELECT pg_sleep(0.005)")
