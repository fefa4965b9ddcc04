"""Counts are kept, not counted: after any history they equal what a count would say."""

import random
from collections import Counter

import pytest
from tests.support.make import completion, submission

from outrider.crawl.pages.shared import source_result_of
from outrider.frontier.model import SourceResult, State, Totals, UrlOrigin
from outrider.urls import host_id_of, key_of

URLS = [f"http://h{n % 5}.test/{n}" for n in range(40)]


STATES = ("new", "pending", "fetched", "dead", "alias")
OF_ALL = """
SELECT url_state(next_fetch_at, redirect_hash, reason) AS state, reason FROM url WHERE kind <> 1
"""
OF_SOURCE = """
SELECT url_state(next_fetch_at, redirect_hash, reason) AS state, reason
  FROM url WHERE kind <> 1 AND shared = 0 AND source_id = $1
UNION ALL
SELECT state, reason FROM url_source WHERE source_id = $1
"""


async def _counted(operator, source_id=None):
    """The truth: a scan of everything. A source has its own URLs, and shared ones as they stand for it."""
    query, arguments = (OF_ALL, ()) if source_id is None else (OF_SOURCE, (source_id,))
    rows = await operator.run(lambda db: db.fetch(query, *arguments))
    states = Counter(STATES[row["state"]] for row in rows)
    reasons = Counter(f"dead.{row['reason']}" for row in rows if row["state"] == State.DEAD)
    return Totals(
        states["pending"],
        states["fetched"],
        states["dead"],
        states["alias"],
        others=dict(sorted(reasons.items())),
    )


def _an_end(dice):
    return dice.choice(
        [
            {},
            {"reason": "http_500", "retry_in_s": dice.choice([0, 60]), "attempts": 1},
            {"reason": dice.choice(["not_found", "gone", "poison"])},
            {"moved_to": key_of(dice.choice(URLS)), "status": 301},
        ]
    )


def _ends(dice, entry):
    """What a visit came to: for the page, and for each source that waited for it."""
    done = completion(entry, **_an_end(dice))._replace(shared=entry.shared)
    waiting = [each.source_id for each in entry.interests if each.state is State.PENDING]
    served = [source for source in waiting if dice.random() < 0.9]  # a disabled source is not
    refused = [source for source in served if dice.random() < 0.1]
    return done, [
        SourceResult(entry.key, source, State.DEAD, "out_of_scope")
        if source in refused
        else source_result_of(done, source, done.retry_in_s)
        for source in served
    ]


@pytest.mark.parametrize("seed", range(8))
async def test_after_any_history_the_counts_are_right(operator, start_worker, seed):
    """FRO-16: of every source and of all together, whatever they share."""
    dice = random.Random(seed)
    operators = [operator, await start_worker()]
    sources = [await operator.new_source(name) for name in ("one", "two", "three")]
    entries = []
    shared = 0
    for _ in range(150):
        one = dice.choice(operators)
        store, source = one.store, dice.choice(sources)
        match dice.randrange(9):
            case 0 | 1:
                links = dict.fromkeys(dice.choices(URLS, k=8))
                origin = dice.choice([UrlOrigin.MANUAL, UrlOrigin.SPIDER])
                await one.ingest(
                    [submission(url, dice.randint(1, 10), source_id=source, origin=origin) for url in links]
                )
            case 2:
                leases = await one.claim(3)
                entries += [entry for lease in leases for entry in lease.entries]
                await one.release(*leases)
            case 3 | 4 if entries:
                ends = [
                    _ends(dice, entry) for entry in {e.key: e for e in dice.choices(entries, k=3)}.values()
                ]
                done, source_results = [end[0] for end in ends], [each for end in ends for each in end[1]]
                await one.run(
                    lambda db, store=store, done=done, source_results=source_results: store.complete(
                        db, done, source_results
                    )
                )
            case 5:
                await one.requeue(*dice.sample(URLS, 4), priority=dice.choice([None, 9]))
            case 6:
                keys = [key_of(url) for url in dice.sample(URLS, 4)]
                await one.run(lambda db, store=store, k=keys, s=source: store.visit_again(db, k, s))
            case 7:
                change = dice.choice([store.hold_source, store.resume_source])
                await one.run(lambda db, change=change, source=source: change(db, source))
            case 8 if dice.random() < 0.3:
                some = dice.choice(
                    [{"source_id": source}, {"host_id": host_id_of(f"h{dice.randrange(5)}.test")}]
                )
                await one.run(lambda db, store=store, some=some: store.clear_pending(db, **some))
        shared += await operator.run(lambda db: db.fetchval("SELECT count(*) FROM url WHERE shared > 0"))

    for source in (*sources, None):
        assert await operator.totals(source) == await _counted(operator, source)
    assert (await operator.totals()).known > 20
    assert shared > 100


async def test_no_source_waits_for_a_shared_page_that_has_left_the_queue(operator):
    """But for those that were not served: they are queued again when the source goes on."""
    one, two = [await operator.new_source(name) for name in ("one", "two")]
    for source in (one, two):
        await operator.ingest([submission(url, source_id=source) for url in URLS])

    for lease in await operator.claim():
        ends = [_ends(random.Random(n), entry) for n, entry in enumerate(lease.entries)]
        done, source_results = [end[0] for end in ends], [each for end in ends for each in end[1]]
        await operator.run(
            lambda db, done=done, source_results=source_results: operator.store.complete(
                db, done, source_results
            )
        )
        await operator.release(lease)
    for source in (one, two):
        await operator.run(lambda db, source=source: operator.store.resume_source(db, source))

    lost = (
        "SELECT count(*) FROM url_source w JOIN url u USING (host_id, url_hash) "
        "WHERE w.state = 1 AND u.next_fetch_at IS NULL"
    )
    assert await operator.run(lambda db: db.fetchval(lost)) == 0
    for source in (one, two, None):
        assert await operator.totals(source) == await _counted(operator, source)


async def test_workers_count_in_slots_of_their_own(operator, start_worker):
    other = await start_worker()
    await operator.queue("http://a.test/")
    await other.queue("http://b.test/")

    slots = await operator.run(lambda db: db.fetch("SELECT slot FROM counter WHERE name = 'pending'"))
    assert {row["slot"] for row in slots} == {operator.store.slot, other.store.slot}
    assert (await operator.totals()).pending == 2
