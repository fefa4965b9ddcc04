"""URLs named by their keys are read by their keys, also while statistics say that nothing is queued.

They say so after a crawl. A re-crawl queues every URL, and until the next ANALYZE each statement could read
the whole queue.
"""

import pytest
from tests.support.make import submission

from outrider.frontier.model import UrlOrigin
from outrider.urls import UrlKey, key_of

QUEUED = 3_000
NAMED = [f"http://a.test/{nth}" for nth in range(5)]
RUN, SOURCE, PRIORITY = 7, 1, 5

STATEMENTS = {
    "bring_forward": (60.0,),
    "reschedule": ([60.0] * len(NAMED),),
    "hide": (),
    "show": (SOURCE,),
    "join_run": (RUN, 0),
    "make_due": (),
    "mark_pending": (SOURCE, 0),
    "hide_unwanted": (),
    "leave_queue": (0,),
}


@pytest.fixture
async def keys(operator) -> list[UrlKey]:
    """Some of the URLs of a queue that was filled after the last ANALYZE."""
    found = [key_of(url) for url in NAMED]

    async def fill(db):
        await db.execute("ALTER TABLE url SET (autovacuum_enabled = off)")
        await db.execute(
            "INSERT INTO url (host_id, url_hash, url, prio) "
            "SELECT n % 50, gen_random_uuid(), 'http://' || n % 50 || '.test/' || n, $2 "
            "FROM generate_series(1, $1) n",
            QUEUED,
            PRIORITY,
        )
        await db.executemany(
            "INSERT INTO url (host_id, url_hash, url, prio) VALUES ($1, $2, $3, $4)",
            [(key.host_id, key.hash, url, PRIORITY) for key, url in zip(found, NAMED, strict=True)],
        )
        await db.execute("ANALYZE url")
        await db.execute("UPDATE url SET next_fetch_at = now()")

    await operator.run(fill)
    return found


async def _rows_read(db) -> int:
    """Rows of the frontier that this transaction has read so far."""
    return await db.fetchval(
        "SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname = 'url'"
    )


@pytest.mark.parametrize("name", STATEMENTS)
async def test_a_statement_reads_the_urls_that_it_names(operator, keys, name):
    async def rows_read(db):
        async with db.transaction():
            before = await _rows_read(db)
            await db.fetch(
                getattr(operator.store._sql, name),
                [key.host_id for key in keys],
                [key.hash for key in keys],
                *STATEMENTS[name],
            )
            return await _rows_read(db) - before

    assert await operator.run(rows_read) < QUEUED / 10


@pytest.mark.parametrize("changes", [{"priority": 9}, {"run_id": RUN}, {"origin": UrlOrigin.MANUAL}], ids=str)
async def test_a_flush_reads_the_urls_that_its_links_name(operator, keys, changes):
    links = [submission(url, **changes) for url in NAMED]

    async def rows_read(db):
        async with db.transaction():
            before = await _rows_read(db)
            await operator.store.ingest(db, links)
            return await _rows_read(db) - before

    assert await operator.run(rows_read) < QUEUED / 10
