"""Work that is cancelled leaves nothing behind that could take the next work with it."""

import asyncio

import asyncpg

from outrider.db.reconnecting import ReconnectingConnection

MOMENTS = 60  # turns of the event loop until the work is cancelled: in BEGIN, in the statement, in COMMIT


async def cancel_after(turns: int, task: asyncio.Task[str]) -> None:
    for _ in range(turns):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_work_after_a_cancelled_one_is_committed(empty_database):
    watcher = await asyncpg.connect(empty_database)
    await watcher.execute("CREATE TABLE mark (turns int)")
    connection = ReconnectingConnection(empty_database, application_name="tests")
    try:
        for turns in range(MOMENTS):
            await connection.run(lambda db: db.execute("SELECT 1"))
            busy = asyncio.create_task(connection.run(lambda db: db.execute("SELECT 1")))
            await cancel_after(turns, busy)

            await connection.run(lambda db, turns=turns: db.execute("INSERT INTO mark VALUES ($1)", turns))

            marked = await watcher.fetchval("SELECT count(*) FROM mark WHERE turns = $1", turns)
            assert marked == 1, f"lost after a cancel at turn {turns}"
    finally:
        await connection.close()
        await watcher.close()
