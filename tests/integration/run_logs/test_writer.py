"""A writer never makes its worker wait, loses nothing that fits, and says what did not fit."""

import asyncio
from contextlib import suppress

import asyncpg
import pytest
from tests.support.locks import wait_for_a_lock

from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Unavailable
from outrider.run_logs.model import LineLevel, LogCategory
from outrider.run_logs.options import RunLogOptions, Verbosity
from outrider.run_logs.store import LogFilter, RunLogStore
from outrider.run_logs.writer import RunLogWriter


class LosesAnswers(ReconnectingConnection):
    """The answer to every second piece of work is lost after its commit."""

    def __init__(self, dsn):
        super().__init__(dsn, application_name="test writer")
        self.works = 0

    async def run(self, work, **options):
        async def work_and_break(db):
            result = await work(db)
            self.works += 1
            if self.works % 2:
                raise ConnectionResetError("the answer is lost")
            return result

        return await super().run(work_and_break, **options)


def say(writer, run, *messages, level=LineLevel.INFO):
    for message in messages:
        writer.write(run.run_id, level, LogCategory.FETCH, message)


async def lines_of(db, run):
    page = await RunLogStore().page_after(db, run.run_id, 0, LogFilter())
    return [line.message for line in page.lines]


async def counts_of(db, run):
    return tuple(
        await db.fetchrow("SELECT dropped, throttled FROM run_log_state WHERE run_id = $1", run.run_id)
    )


async def write_whatever_happens(writer):
    while writer.held:
        with suppress(Unavailable):
            await writer.write_all()


async def test_lines_of_several_runs_are_appended_in_their_order(db, run, make_run, make_writer):
    other = await make_run("http://other.example/")
    writer = make_writer()
    say(writer, run, "a", "b")
    say(writer, other, "x")
    say(writer, run, "c")
    await writer.write_all()

    assert await lines_of(db, run) == ["run started", "a", "b", "c"]
    assert await lines_of(db, other) == ["run started", "x"]
    assert writer.held == 0


async def test_every_line_names_its_worker(db, run, make_writer):
    writers = make_writer(), make_writer()
    for writer in writers:
        say(writer, run, "hello")
        await writer.write_all()

    page = await RunLogStore().page_after(db, run.run_id, 1, LogFilter())
    assert [line.fields for line in page.lines] == [{"worker": 1}, {"worker": 2}]


async def test_lost_answers_write_no_line_twice(db, database, run):
    connection = LosesAnswers(database)
    writer = RunLogWriter(connection, RunLogOptions())
    for number in range(20):
        say(writer, run, f"{number}")
        await write_whatever_happens(writer)

    assert await lines_of(db, run) == ["run started", *(f"{number}" for number in range(20))]
    assert connection.works > 40, "answers were lost"
    await connection.close()


async def test_a_full_buffer_drops_lines_and_counts_them(db, run, make_writer):
    writer = make_writer(buffer=10)
    say(writer, run, *(f"{number}" for number in range(25)))
    writer.throttled(run.run_id)
    await writer.write_all()

    assert await lines_of(db, run) == ["run started", *(f"{number}" for number in range(10))]
    assert await counts_of(db, run) == (15, 1)


async def test_lines_wait_for_a_database_that_is_away(database, db, run):
    """A wrong port is a database that does not answer."""
    away = ReconnectingConnection("postgresql://outrider@127.0.0.1:1/none", application_name="test")
    writer = RunLogWriter(away, RunLogOptions(buffer=10))
    say(writer, run, *"abc")
    with pytest.raises(Unavailable):
        await writer.write_all()
    say(writer, run, *(f"{number}" for number in range(10)))
    assert writer.held == 10

    writer._connection = ReconnectingConnection(database, application_name="test writer")
    await writer.write_all()

    assert await lines_of(db, run) == ["run started", *"abc", *(f"{number}" for number in range(7))]
    assert await counts_of(db, run) == (3, 0)
    await writer._connection.close()


async def test_a_run_that_is_gone_does_not_stop_the_lines_of_others(db, run, make_run, make_writer):
    gone = await make_run("http://gone.example/")
    writer = make_writer()
    say(writer, gone, "before")
    await writer.write_all()
    await db.execute("DELETE FROM run WHERE run_id = $1", gone.run_id)
    say(writer, gone, "after")
    say(writer, run, "here")
    await writer.write_all()

    assert await lines_of(db, run) == ["run started", "here"]
    assert writer.held == 0


async def test_a_worker_that_ends_writes_what_it_holds(db, run, make_writer):
    writer = make_writer()
    task = asyncio.create_task(writer.run())
    await asyncio.sleep(0)
    say(writer, run, "last")
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    await writer.drain()

    assert await lines_of(db, run) == ["run started", "last"]


async def test_lines_below_the_level_are_left_out(db, run, make_writer):
    writer = make_writer(level=LineLevel.WARN)
    say(writer, run, "info")
    say(writer, run, "warning", level=LineLevel.WARN)
    await writer.write_all()

    assert await lines_of(db, run) == ["run started", "warning"]


async def test_the_verbosity_debug_includes_lines_of_level_debug(db, run, make_writer):
    for verbosity in (Verbosity.NORMAL, Verbosity.DEBUG):
        writer = make_writer(verbosity=verbosity)
        say(writer, run, verbosity.value, level=LineLevel.DEBUG)
        await writer.write_all()

    assert await lines_of(db, run) == ["run started", "debug"]


async def test_a_slow_transaction_delays_lines_and_loses_none(db, database, run, make_writer):
    writer = make_writer()
    say(writer, run, "first")
    await writer.write_all()
    slow = await asyncpg.connect(database)
    transaction = slow.transaction()
    await transaction.start()
    await slow.execute("SELECT FROM run_log_state WHERE run_id = $1 FOR UPDATE", run.run_id)
    say(writer, run, "second")
    writing = asyncio.create_task(writer.write_all())
    await wait_for_a_lock(db)
    say(writer, run, "third")
    assert not writing.done()
    await transaction.commit()
    await writing

    assert await lines_of(db, run) == ["run started", "first", "second", "third"]
    await slow.close()
