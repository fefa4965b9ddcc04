"""A database spelt by older rules is brought to today's, and nothing that was known is lost on the way.

The older rules kept the slash at the end of an address.
"""

from collections import Counter

import pytest
from tests.support.make import Operator, completion, draft, keep_documents, unnamed_texts

from outrider.documents.packing import unpack
from outrider.errors import Conflict, Misconfigured
from outrider.frontier.normalisation import ensure_rules_version, normalisation_state
from outrider.frontier.redirect_hops import HopNote, note_hops
from outrider.services.urls import rehash as module
from outrider.services.urls.rehash import RehashCounts, preview, rehash
from outrider.sources.crawl_commands import ensure_crawl
from outrider.sources.policy import Policy
from outrider.urls import RULES_VERSION, key_of
from outrider.worker_registry.store import WorkerRegistry

NEXT = RULES_VERSION + 1
A, B, C, D = (f"http://a.test/{name}" for name in "abcd")


@pytest.fixture
async def operator(database):
    operator = await Operator.enter(database)
    await operator.run(lambda db: WorkerRegistry().record_stop(db, operator.store.worker_id))
    yield operator
    await operator.connection.close()


async def _keep(operator, *drafts):
    await operator.run(lambda db: keep_documents(db, list(drafts)))


async def _rows(operator):
    rows = await operator.run(lambda db: db.fetch("SELECT * FROM url_frontier"))
    return {row["url"]: row for row in rows}


async def _states(operator):
    return {url: row["status"] for url, row in (await _rows(operator)).items()}


async def _texts(operator):
    rows = await operator.run(
        lambda db: db.fetch(
            "SELECT u.url, d.versions, packed_text(coalesce(d.text_id, original_text(d.content_hash, "
            "d.duplicate_host_id, d.duplicate_hash))) AS text "
            "FROM document d JOIN url u USING (host_id, url_hash)"
        )
    )
    return {row["url"]: (unpack(row["text"]), row["versions"]) for row in rows}


async def _counters_equal_the_truth(operator):
    rows = (await _rows(operator)).values()
    states = Counter(row["status"] for row in rows)
    reasons = Counter(f"dead.{row['last_error']}" for row in rows if row["status"] == "dead")
    documents = await operator.run(lambda db: db.fetchval("SELECT count(*) FROM document"))
    copies = await operator.run(
        lambda db: db.fetchval("SELECT count(*) FROM document WHERE duplicate_hash IS NOT NULL")
    )
    totals = await operator.totals()
    counted = (totals.pending, totals.fetched, totals.dead, totals.aliases)
    assert counted == (states["pending"], states["fetched"], states["dead"], states["alias"])
    assert {name: n for name, n in totals.others.items() if name.startswith("dead.")} == dict(reasons)
    assert (totals.others.get("documents", 0), totals.others.get("duplicates", 0)) == (documents, copies)


async def test_urls_move_to_their_new_keys_with_all_that_is_known(operator):
    await operator.queue(A + "/", B + "/", C)
    await operator.queue(D + "/", parent=key_of(A + "/"))
    await _keep(operator, draft(A + "/", "Words."))
    await operator.complete(completion(A + "/"), completion(B + "/", status=301, moved_to=key_of(D + "/")))

    done = await operator.run(lambda db: rehash(db, NEXT))

    rows = await _rows(operator)
    assert done == RehashCounts(looked_at=4, respelt=3, merged=0)
    assert {url: row["status"] for url, row in rows.items()} == {
        A: "fetched",
        B: "alias",
        C: "pending",
        D: "pending",
    }
    assert (rows[D]["parent_url"], rows[B]["redirects_to"]) == (A, D)
    assert [await operator.state(url) for url in (A, B, C, D)] == ["fetched", "alias", "pending", "pending"]
    assert await _texts(operator) == {A: ("Words.", 1)}
    await _counters_equal_the_truth(operator)


@pytest.mark.parametrize(
    ("slashed", "bare", "state"),
    [
        ({}, None, "fetched"),
        (None, {}, "fetched"),
        ({"reason": "gone"}, None, "dead"),
        ({"reason": "gone"}, {}, "fetched"),
        ({"status": 301, "moved_to": key_of(A)}, None, "pending"),
        ({"status": 301, "moved_to": key_of(A)}, {}, "fetched"),
        ({"status": 301, "moved_to": key_of(B)}, {"reason": "gone"}, "dead"),
        ({"reason": "http_500", "retry_in_s": 60, "attempts": 1}, {"reason": "gone"}, "dead"),
    ],
)
async def test_of_two_that_become_one_the_state_further_on_stays(operator, slashed, bare, state):
    await operator.queue(A + "/", priority=8, depth=3)
    await operator.queue(A, B, priority=5, depth=1)
    for url, end in ((A + "/", slashed), (A, bare)):
        if end is not None:
            await operator.complete(completion(url, **end))

    done = await operator.run(lambda db: rehash(db, NEXT))

    row = (await _rows(operator))[A]
    assert (done.respelt, done.merged) == (1, 1)
    assert await _states(operator) == {A: state, B: "pending"}
    assert (row["priority"], row["depth"]) == (8, 1)
    await _counters_equal_the_truth(operator)


async def test_two_documents_become_one_with_both_histories(operator):
    await operator.queue(A, A + "/")
    for url, text in ((A, "one"), (A + "/", "two"), (A, "three"), (A + "/", "four")):
        await _keep(operator, draft(url, text))
        await operator.complete(completion(url))

    await operator.run(lambda db: rehash(db, NEXT))

    versions = await operator.run(
        lambda db: db.fetch("SELECT packed_text(text_id) AS text FROM document_version ORDER BY version")
    )
    assert await _texts(operator) == {A: ("four", 4)}
    assert [unpack(row["text"]) for row in versions] == ["one", "two", "three"]
    assert await operator.run(unnamed_texts) == 0
    assert (await _rows(operator))[A]["fetch_count"] == 4
    await _counters_equal_the_truth(operator)


@pytest.mark.parametrize("first", [A, A + "/"], ids=["the bare one first", "the slashed one first"])
async def test_copies_of_each_other_become_one_that_keeps_the_words(operator, first):
    await operator.queue(A, A + "/", B)
    for url in sorted((A, A + "/"), key=lambda url: url != first):
        await _keep(operator, draft(url, "The same."))
    await _keep(operator, draft(B, "The same."))
    await operator.complete(completion(A), completion(A + "/"), completion(B))

    await operator.run(lambda db: rehash(db, NEXT))

    assert await _texts(operator) == {A: ("The same.", 1), B: ("The same.", 1)}
    await _counters_equal_the_truth(operator)


async def test_redirects_that_were_met_go_with_their_entries(operator):
    await operator.queue(A, A + "/", B + "/")
    met = [
        HopNote(key_of(url), "http://x.test/", "http://y.test/", 301, 0.0) for url in (A, A + "/", B + "/")
    ]
    await operator.run(lambda db: note_hops(db, met))

    await operator.run(lambda db: rehash(db, NEXT))

    rows = await operator.run(lambda db: db.fetch("SELECT entry_url, times FROM redirect_hops ORDER BY 1"))
    assert [tuple(row) for row in rows] == [(A, 2), (B, 1)]


async def test_a_circle_that_merging_closes_is_recognised(operator):
    await operator.queue(A, A + "/", B)
    await operator.complete(completion(A + "/", status=301, moved_to=key_of(B)))
    await operator.complete(completion(B, status=301, moved_to=key_of(A)))
    await operator.complete(completion(A, status=301, moved_to=key_of(C)))

    await operator.run(lambda db: rehash(db, NEXT))

    leads = {url: row["redirects_to"] for url, row in (await _rows(operator)).items()}
    assert len([url for url, to in leads.items() if to is not None]) < 2
    await _counters_equal_the_truth(operator)


async def test_a_source_that_spells_its_own_way_keeps_its_spelling(operator):
    policy = Policy(seeds=[A], keep_slash=True)
    source = await operator.run(lambda db: ensure_crawl(db, "slashes", policy))
    await operator.queue(A + "/", source_id=source.source_id)
    await operator.queue(B + "/")

    await operator.run(lambda db: rehash(db, NEXT))

    assert set(await _states(operator)) == {A + "/", B}


async def test_urls_of_a_source_with_new_rules_are_normalised_again(operator):
    """NRM-15: only those of that source, and two that become the same are one."""
    policy = Policy(tracking_add=("sid",))
    source = await operator.run(lambda db: ensure_crawl(db, "news", policy))
    await operator.queue(f"{A}?sid=1", f"{A}?sid=2", source_id=source.source_id)
    await operator.queue(f"{B}?sid=1")
    usual = await operator.run(rehash)

    expected = await operator.run(lambda db: preview(db, again=True))
    done = await operator.run(lambda db: rehash(db, again=True))

    assert usual == RehashCounts()
    assert done == expected == RehashCounts(looked_at=3, respelt=2, merged=1)
    assert await _states(operator) == {A: "pending", f"{B}?sid=1": "pending"}
    await operator.run(ensure_rules_version)
    await _counters_equal_the_truth(operator)


async def test_killed_at_any_step_it_goes_on_and_ends_the_same(operator, monkeypatch):
    """Every statement in turn is the last one that a run lives to make."""
    for name, size in (("SPELT_AT_ONCE", 3), ("MOVED_AT_ONCE", 2)):
        monkeypatch.setattr(module, name, size)
    urls = [f"http://h{n % 3}.test/{n}" for n in range(8)]
    for url in urls:
        await operator.queue(url + "/")
        await _keep(operator, draft(url + "/", "All alike."))
    await operator.queue(*urls[:4])
    await operator.complete(*(completion(url + "/") for url in urls[:6]))

    steps, lives = 0, True
    while lives:
        steps += 1
        lives = await operator.run(lambda db, steps=steps: _dies_after(db, steps))

    assert steps > 20
    assert await _states(operator) == {url: "pending" if url in urls[6:] else "fetched" for url in urls}
    assert {text for text, _ in (await _texts(operator)).values()} == {"All alike."}
    assert (await operator.run(normalisation_state)).version == NEXT
    await _counters_equal_the_truth(operator)


class _Killed(Exception):
    """What stands for kill -9: nothing after it is done."""


class _Mortal:
    """A connection whose user dies at its `steps`th statement."""

    def __init__(self, db, steps):
        self._db = db
        self._left = steps

    def __getattr__(self, name):
        return getattr(self._db, name)

    async def execute(self, *arguments):
        self._left -= 1
        if self._left == 0:
            raise _Killed
        return await self._db.execute(*arguments)


async def _dies_after(db, steps):
    """True when the run was killed, False when it came to its end."""
    try:
        await rehash(_Mortal(db, steps), NEXT)
    except _Killed:
        return True
    finally:
        await db.execute("SELECT pg_advisory_unlock_all()")
    return False


async def test_a_preview_says_the_same_and_changes_nothing(operator):
    await operator.queue(A, A + "/", B + "/", C)
    before = await _rows(operator)

    said = await operator.run(lambda db: preview(db, NEXT))

    assert await _rows(operator) == before
    assert said == await operator.run(lambda db: rehash(db, NEXT))
    assert said == RehashCounts(looked_at=4, respelt=2, merged=1)


async def test_it_waits_for_no_worker_and_disturbs_none(operator, database):
    worker = await Operator.enter(database)

    with pytest.raises(Conflict, match="workers are running"):
        await operator.run(lambda db: rehash(db, NEXT))

    assert await operator.run(lambda db: WorkerRegistry().live(db))
    await worker.connection.close()


async def test_other_rules_are_refused_with_what_to_run(operator):
    await operator.run(lambda db: ensure_rules_version(db))
    await operator.queue(A)

    with pytest.raises(Misconfigured, match=f"rules {RULES_VERSION} .* has {NEXT}: run `outrider rehash`"):
        await operator.run(lambda db: ensure_rules_version(db, NEXT))


async def test_an_empty_database_takes_the_rules_it_is_given(operator):
    await operator.run(lambda db: ensure_rules_version(db, NEXT))

    assert (await operator.run(normalisation_state)).version == NEXT


async def test_a_half_finished_rehash_blocks_all_other_work(operator):
    await operator.queue(*(f"http://h.test/{n}/" for n in range(3)))
    await operator.run(lambda db: _dies_after(db, 4))

    with pytest.raises(Misconfigured, match="begun and is not finished: run `outrider rehash`"):
        await operator.run(lambda db: ensure_rules_version(db))


async def test_whatever_is_known_by_a_key_moves_with_it(operator):
    """Who else asked, how it was seen, how often it is looked at, its channel, and links that led outside."""
    source, other = await operator.new_source("one"), await operator.new_source("two")
    old, new = key_of(A + "/"), key_of(A)
    await operator.queue(A, A + "/", source_id=source)
    await operator.queue(A + "/", source_id=other)
    for key, polls, seen in ((old, 9, "2026-01-01"), (new, 2, "2026-02-01")):
        for statement in (
            f"INSERT INTO sighting VALUES ($1, $2, 'feed', {source}, '{seen}')",
            f"INSERT INTO listing (host_id, url_hash, source_id, interval_s, visits) "
            f"VALUES ($1, $2, {source}, {polls}, {polls})",
            f"INSERT INTO channel (source_id, host_id, url_hash, url, kind, polls) "
            f"VALUES ({source}, $1, $2, 'as it was', 2, {polls})",
            f"INSERT INTO discovered_link (source_id, host_id, url_hash, url, domain, discovered_at) "
            f"VALUES ({source}, $1, $2, '{A + '/' if key is old else A}', 'a.test', '{seen}')",
        ):
            await operator.run(lambda db, statement=statement, key=key: db.execute(statement, *key))

    await operator.run(lambda db: rehash(db, NEXT))

    async def known(table, columns):
        rows = await operator.run(lambda db: db.fetch(f"SELECT url_hash, {columns} FROM {table}"))
        assert {row["url_hash"].hex for row in rows} == {new.hash}
        return [tuple(row)[1:] for row in rows]

    assert await known("url_source", "source_id") == [(source,), (other,)]
    assert await known("sighting", "seen_at::date::text") == [("2026-01-01",)]
    assert await known("listing", "interval_s, visits") == [(2, 11)]
    assert await known("channel", "polls, url") == [(9, A)]
    assert await known("discovered_link", "url") == [(A,)]
