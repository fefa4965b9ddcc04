"""Lines of several writers get numbers that become visible in their order, once, up to the limit."""

import asyncio
import time
from uuid import uuid4

import asyncpg
from tests.support.locks import wait_for_a_lock

from outrider.run_logs.model import LineLevel, LogCategory, NewLine
from outrider.run_logs.store import LineBatch, LogFilter, RunLogStore

STORE = RunLogStore()
MOST = 50_000


def line(message: str, level: LineLevel = LineLevel.INFO) -> NewLine:
    return NewLine(time.time(), level, LogCategory.FETCH, message, {})


def batch(run, messages, *, writer=None, number=1, **counts):
    return LineBatch(run.run_id, writer or uuid4(), number, [line(each) for each in messages], **counts)


async def messages_after(db, run, number=0):
    page = await STORE.page_after(db, run.run_id, number, LogFilter())
    return [(each.position.number, each.message) for each in page.lines]


async def test_the_log_begins_with_the_start_of_the_run_however_many_writers_begin_it(db, run):
    await STORE.begin(db, run.run_id)
    await STORE.begin(db, run.run_id)

    assert await messages_after(db, run) == [(1, "run started")]


async def test_a_reader_misses_no_line_of_a_slow_transaction(db, database, run):
    """The first writer appends and does not commit; the second appends meanwhile.

    A reader that remembers the greatest number of a sequence has passed the first writer's line by then.
    """
    await STORE.begin(db, run.run_id)
    await db.execute("CREATE TABLE naive_log (id bigint GENERATED ALWAYS AS IDENTITY, message text)")
    slow, quick = await asyncpg.connect(database), await asyncpg.connect(database)
    transaction = slow.transaction()
    await transaction.start()
    await slow.execute("INSERT INTO naive_log (message) VALUES ('slow')")
    await STORE.append(slow, batch(run, ["slow"]), MOST)
    await quick.execute("INSERT INTO naive_log (message) VALUES ('quick')")
    appending = asyncio.create_task(STORE.append(quick, batch(run, ["quick"]), MOST))
    await wait_for_a_lock(db)

    seen = await messages_after(db, run)
    naive = await db.fetch("SELECT id, message FROM naive_log ORDER BY id")
    await transaction.commit()
    await appending
    seen += await messages_after(db, run, seen[-1][0])
    naive += await db.fetch("SELECT id, message FROM naive_log WHERE id > $1 ORDER BY id", naive[-1]["id"])

    assert seen == [(1, "run started"), (2, "slow"), (3, "quick")]
    assert [row["message"] for row in naive] == ["quick"], "the naive reader has lost a line"
    await slow.close()
    await quick.close()


async def test_a_batch_that_is_sent_again_is_written_once(db, run):
    await STORE.begin(db, run.run_id)
    sent = batch(run, ["a", "b"], dropped=3, throttled=4)

    first = await STORE.append(db, sent, MOST)
    again = await STORE.append(db, sent, MOST)

    assert (first, again) == (3, None)
    assert [text for _, text in await messages_after(db, run)] == ["run started", "a", "b"]
    counts = await db.fetchrow("SELECT dropped, throttled FROM run_log_state WHERE run_id = $1", run.run_id)
    assert tuple(counts) == (3, 4)


async def test_a_batch_that_is_sent_again_while_it_is_written_is_written_once(db, database, run):
    await STORE.begin(db, run.run_id)
    sent = batch(run, ["a"])
    slow = await asyncpg.connect(database)
    transaction = slow.transaction()
    await transaction.start()
    await STORE.append(slow, sent, MOST)
    again = asyncio.create_task(STORE.append(db, sent, MOST))
    watching = await asyncpg.connect(database)
    await wait_for_a_lock(watching)
    await transaction.commit()

    assert await again is None
    assert [text for _, text in await messages_after(db, run)] == ["run started", "a"]
    await slow.close()
    await watching.close()


async def test_lines_past_the_limit_are_counted_and_the_summary_says_so(db, run):
    await STORE.begin(db, run.run_id)
    await STORE.append(db, batch(run, [f"{n}" for n in range(8)]), 6)
    await STORE.append(db, batch(run, ["late", "later"], dropped=7, throttled=9), 6)
    await STORE.end(db, run.run_id, LineLevel.INFO, "over", {"pages": 1})

    page = await STORE.page_after(db, run.run_id, 0, LogFilter())

    assert [each.message for each in page.lines] == ["run started", "0", "1", "2", "3", "4", "over"]
    assert page.lines[-1].fields == {
        "pages": 1,
        "lines_past_limit": 5,
        "lines_dropped": 7,
        "lines_throttled": 9,
    }
    assert (page.last_number, page.is_ended) == (page.lines[-1].position.number, True)


async def test_no_line_comes_after_the_summary(db, run):
    await STORE.begin(db, run.run_id)
    await STORE.end(db, run.run_id, LineLevel.INFO, "over", {})

    assert await STORE.append(db, batch(run, ["late"]), MOST) is None
    assert await STORE.end(db, run.run_id, LineLevel.INFO, "over again", {}) is None
    assert [text for _, text in await messages_after(db, run)] == ["run started", "over"]


async def test_one_of_several_writers_writes_a_milestone(db, database, run):
    await STORE.begin(db, run.run_id)
    others = [await asyncpg.connect(database) for _ in range(4)]

    numbers = await asyncio.gather(
        *(STORE.append_progress(each, run.run_id, 50, 3600, MOST, "50 pages", {}) for each in others)
    )

    assert sorted(number for number in numbers if number) == [2]
    assert await STORE.append_progress(db, run.run_id, 100, 3600, MOST, "100 pages", {}) == 3
    assert await STORE.append_progress(db, run.run_id, 100, 0, MOST, "in progress", {}) == 4
    for each in others:
        await each.close()


async def test_hostile_text_is_stored_harmlessly(db, run):
    await STORE.begin(db, run.run_id)
    nasty = "\x1b[31mred\x00\ud800\nnew line \u202e" + "x" * 5_000
    made = NewLine(time.time(), LineLevel.INFO, LogCategory.ERROR, nasty, {"url": nasty, "n": float("nan")})
    await STORE.append(db, LineBatch(run.run_id, uuid4(), 1, [made]), MOST)

    page = await STORE.page_after(db, run.run_id, 1, LogFilter())

    (kept,) = page.lines
    assert kept.message.startswith("\ufffd[31mred\ufffd\ufffd\ufffdnew line \ufffdxxx")
    assert len(kept.message) == 2_000
    assert kept.fields["n"] is None
    assert "\x1b" not in kept.fields["url"]
