"""Counts are kept, not counted: after any history they equal what a count would say."""

import random
from collections import Counter

import pytest
from tests.support.make import completion, submission

from outrider.frontier.model import Totals
from outrider.urls import key_of

URLS = [f"http://h{n % 5}.test/{n}" for n in range(40)]


async def _counted(clerk, source_id):
    """The truth: a scan of everything."""
    rows = await clerk.run(
        lambda db: db.fetch(
            "SELECT status, last_error FROM url_frontier f JOIN source s ON s.name = f.source "
            "WHERE s.source_id = $1 AND f.kind <> 'robots'",
            source_id,
        )
    )
    states = Counter(row["status"] for row in rows)
    reasons = Counter(f"dead.{row['last_error']}" for row in rows if row["status"] == "dead")
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


@pytest.mark.parametrize("seed", range(4))
async def test_after_any_history_the_counts_are_right(clerk, hire, seed):
    dice = random.Random(seed)
    clerks = [clerk, await hire()]
    sources = [await clerk.new_source(name) for name in ("one", "two")]
    entries = []
    for _ in range(120):
        one = dice.choice(clerks)
        match dice.randrange(6):
            case 0:
                links = dict.fromkeys(dice.choices(URLS, k=8))
                source = dice.choice(sources)
                await one.ingest([submission(url, dice.randint(1, 10), source_id=source) for url in links])
            case 1:
                leases = await one.claim(3)
                entries += [entry for lease in leases for entry in lease.entries]
                await one.release(*leases)
            case 2 | 3 if entries:
                done = {entry.key: entry for entry in dice.choices(entries, k=3)}
                await one.complete(*(completion(entry, **_an_end(dice)) for entry in done.values()))
            case 4:
                await one.requeue(*dice.sample(URLS, 4), priority=dice.choice([None, 9]))
            case 5:
                source, store = dice.choice(sources), one.store
                change = dice.choice([store.hold_source, store.resume_source])
                await one.run(lambda db, change=change, source=source: change(db, source))

    for source in sources:
        assert await clerk.totals(source) == await _counted(clerk, source)
    assert (await clerk.totals()).known > 20


async def test_workers_count_in_slots_of_their_own(clerk, hire):
    other = await hire()
    await clerk.queue("http://a.test/")
    await other.queue("http://b.test/")

    slots = await clerk.run(lambda db: db.fetch("SELECT slot FROM counter WHERE name = 'pending'"))
    assert {row["slot"] for row in slots} == {clerk.store.slot, other.store.slot}
    assert (await clerk.totals()).pending == 2
