"""Starting a crawl: fresh, resumed, or once more; and whose turn it is."""

import pytest
from tests.support.make import Operator, completion, urls_of

from outrider.crawl.processes import CrawlProcess, claim_run, end_process, join_watch
from outrider.crawl.seeds import start, suspend_idle_crawls
from outrider.errors import Conflict
from outrider.frontier.model import State, Totals
from outrider.frontier.stats import StatsStore
from outrider.sources.crawl_commands import crawl_name
from outrider.sources.model import NewSource
from outrider.sources.owners import owner_by_id
from outrider.sources.page_limit import reserve_pages
from outrider.sources.policy import Policy
from outrider.sources.store import SourceStore
from outrider.urls import key_of

A, B = "http://a.test/", "http://b.test/"


@pytest.fixture
async def operator(database):
    operator = await Operator.enter(database)
    yield operator
    await operator.connection.close()


async def _start(operator, *seeds, **policy):
    asked = Policy(seeds=seeds, **policy)
    return await operator.run(lambda db: start(db, asked, operator.store, StatsStore()))


async def _work_off(operator):
    for lease in await operator.claim():
        await operator.complete(*(completion(entry) for entry in lease.entries))
        await operator.release(lease)


async def test_seeds_come_first(operator):
    begun = await _start(operator, A, B)

    entries = [entry for lease in await operator.claim() for entry in lease.entries]
    assert begun.resumed == 0
    assert [(entry.priority, entry.depth) for entry in entries] == [(10, 0), (10, 0)]
    assert {entry.source_id for entry in entries} == {begun.source.source_id}


async def test_the_same_crawl_is_resumed(operator):
    first = await _start(operator, A, B)
    second = await _start(operator, B, A)

    assert second.source.source_id == first.source.source_id
    assert second.resumed == 2
    assert (await operator.totals()).pending == 2


async def test_a_finished_crawl_looks_at_its_seeds_again(operator):
    first = await _start(operator, A)
    await operator.queue("http://a.test/page", source_id=first.source.source_id)
    await _work_off(operator)

    second = await _start(operator, A)

    assert second.resumed == 0
    assert urls_of(await operator.claim()) == [A]
    assert await operator.totals() == Totals(pending=1, fetched=1)


async def test_other_crawls_wait_meanwhile_and_come_back(operator):
    first = await _start(operator, A)
    second = await _start(operator, B)
    during = await operator.claim()
    await operator.release(*during)
    third = await _start(operator, A)

    assert [source.name for source in second.suspended] == [first.source.name]
    assert urls_of(during) == [B]
    assert [source.name for source in third.suspended] == [second.source.name]
    assert urls_of(await operator.claim()) == [A]


async def test_a_running_crawl_is_not_suspended(operator, database):
    runner = await Operator.enter(database)
    first = await _start(runner, A)
    assert await runner.run(lambda db: claim_run(db, first.source.source_id, CrawlProcess.this()))

    second = await _start(operator, B)

    assert second.suspended == []
    assert sorted(urls_of(await operator.claim())) == [A, B]
    await runner.connection.close()


async def test_a_new_policy_replaces_the_old_one(operator):
    await _start(operator, A, max_pages=5)
    begun = await _start(operator, A, max_pages=9)

    stored = await operator.run(lambda db: owner_by_id(db, begun.source.source_id))
    assert stored.policy.max_pages == 9


async def test_a_crawl_does_not_overwrite_a_watched_source_of_its_name(operator):
    name = crawl_name([A])
    new = NewSource(name=name, url=A, policy=Policy(seeds=[A], delay_s=9.0))
    source = await operator.run(lambda db: SourceStore().add(db, new))

    with pytest.raises(Conflict, match="rename it"):
        await _start(operator, A)

    assert (await operator.run(lambda db: SourceStore().find(db, name))).policy == source.policy


async def test_what_a_dead_run_had_reserved_is_free_again(operator):
    begun = await _start(operator, A, max_pages=5)
    source_id = begun.source.source_id
    await operator.run(lambda db: reserve_pages(db, source_id, 5, 5))

    await _start(operator, A, max_pages=5)

    assert await operator.run(lambda db: reserve_pages(db, source_id, 9, 5)) == 5


async def test_a_seed_that_moved_is_looked_at_where_it_went(operator):
    """It may lead elsewhere by now, and the page it led to may say something new: both are asked again."""
    moved, page = "http://www.a.test/", "http://www.a.test/home"
    begun = await _start(operator, A)
    await operator.queue(moved, page, source_id=begun.source.source_id)
    await operator.complete(
        completion(A, moved_to=key_of(moved), status=301, run_id=begun.run_id),
        completion(moved, moved_to=key_of(page), status=302),
        completion(page),
    )

    await _start(operator, A)

    assert (await operator.totals()).pending == 3
    assert await operator.state(page) == "pending"


@pytest.mark.parametrize("is_finished", [False, True], ids=["interrupted", "finished"])
async def test_a_seed_that_another_crawl_knows_is_visited_for_the_new_crawl(operator, is_finished):
    """FRO-16: it stays the first one's, which waits for a visit only if it was interrupted."""
    first = await _start(operator, A)
    if is_finished:
        await _work_off(operator)

    second = await _start(operator, A, B)

    one, two = first.source.source_id, second.source.source_id
    claimed = {entry.url: entry for lease in await operator.claim() for entry in lease.entries}
    assert claimed.keys() == {A, B}
    assert (claimed[A].source_id, claimed[B].source_id) == (one, two)
    waiting = {each.source_id: each.state is State.PENDING for each in claimed[A].interests}
    assert waiting == {one: not is_finished, two: True}
    totals = [await operator.run(lambda db, s=s: StatsStore().totals(db, s)) for s in (one, two)]
    assert totals == [Totals(fetched=1) if is_finished else Totals(pending=1), Totals(pending=2)]


async def test_a_seed_of_a_suspended_source_is_visited_and_keeps_its_owner(operator):
    """Its next visit is an hour away, and it waits outside the queue while the crawl runs."""
    first = await _start(operator, A)
    lease = await operator.claim_one()
    await operator.complete(completion(lease.entries[0], retry_in_s=3600))
    await operator.release(lease)

    await _start(operator, A, B)

    assert sorted(urls_of(await operator.claim())) == [A, B]
    row = await operator.row(A)
    assert (row["source_id"], row["prio"]) == (first.source.source_id, 10)


async def test_a_watch_suspends_crawls_that_do_not_run(operator, database):
    runner = await Operator.enter(database)
    running = await _start(runner, B)
    await runner.run(lambda db: claim_run(db, running.source.source_id, CrawlProcess.this()))
    left = await _start(operator, A)

    await operator.run(lambda db: suspend_idle_crawls(db, operator.store))

    leases = await operator.claim()
    assert urls_of(leases) == [B]
    await operator.release(*leases)
    assert (await _start(operator, A)).resumed == 1
    assert left.source.source_id in {e.source_id for lease in await operator.claim() for e in lease.entries}
    await runner.connection.close()


async def test_watched_sources_are_not_suspended_while_a_watch_runs(operator, database):
    watcher = await Operator.enter(database)
    source_id = await operator.run(
        lambda db: db.fetchval(
            "INSERT INTO source (name, kind, url) VALUES ('news', 'watch', $1) RETURNING source_id", A
        )
    )
    await operator.queue(A, source_id=source_id)
    process = CrawlProcess.this()
    await watcher.run(lambda db: join_watch(db, process))

    during = await _start(operator, B)
    await watcher.run(lambda db: end_process(db, process))
    after = await _start(operator, B)

    assert during.suspended == []
    assert [source.name for source in after.suspended] == ["news"]
