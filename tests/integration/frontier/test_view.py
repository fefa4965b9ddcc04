"""`url_frontier`, the queue as people think of it."""

from uuid import UUID

from tests.support.make import completion, draft, keep_documents

from outrider.frontier.model import UrlOrigin
from outrider.urls import key_of, url_hash

A, B = "http://a.test/1", "http://b.test/2"


async def _seen(operator, url):
    return await operator.run(lambda db: db.fetchrow("SELECT * FROM url_frontier WHERE url = $1", url))


async def test_it_shows_everything_known_of_a_url(operator):
    source = await operator.new_source("news")
    await operator.queue(A)
    await operator.queue(B, priority=7, depth=1, origin=UrlOrigin.SPIDER, parent=key_of(A), source_id=source)
    entries = {entry.url: entry for lease in await operator.claim() for entry in lease.entries}
    page = draft(B, etag='"tag"', last_modified="yesterday")
    await operator.run(lambda db: keep_documents(db, [page]))
    await operator.complete(completion(entries[B]))

    row = dict(await _seen(operator, B))

    assert row.pop("updated_at") == row["last_fetched_at"]
    assert row.pop("created_at") == row["discovered_at"]
    assert row.pop("discovered_at") <= row.pop("last_fetched_at")
    assert row.pop("id") == UUID(url_hash(B)[:32])
    assert row.pop("source_id") == await operator.run(
        lambda db: db.fetchval("SELECT public_id FROM source WHERE source_id = $1", source)
    )
    assert row == {
        "url_hash": url_hash(B),
        "url": B,
        "host": "b.test",
        "source": "news",
        "origin": "spider",
        "kind": "page",
        "parent_url": A,
        "depth": 1,
        "priority": 7,
        "status": "fetched",
        "held": False,
        "next_fetch_at": None,
        "fetch_count": 1,
        "http_status": 200,
        "content_hash": page.content_hash.hex(),
        "etag": '"tag"',
        "last_modified": "yesterday",
        "retry_count": 0,
        "last_error": None,
        "redirects_to": None,
    }


async def test_states_have_names(operator):
    ends = {
        "http://h.test/pending": None,
        "http://h.test/retry": {"reason": "http_500", "retry_in_s": 60, "attempts": 1},
        "http://h.test/dead": {"reason": "gone"},
        "http://h.test/alias": {"moved_to": key_of("http://h.test/pending")},
    }
    await operator.queue(*ends)
    lease = await operator.claim_one()
    await operator.complete(
        *(completion(entry, **ends[entry.url]) for entry in lease.entries if ends[entry.url])
    )

    shown = {url: await _seen(operator, url) for url in ends}

    assert {url.rsplit("/")[-1]: row["status"] for url, row in shown.items()} == {
        "pending": "pending",
        "retry": "pending",
        "dead": "dead",
        "alias": "alias",
    }
    assert (shown["http://h.test/retry"]["retry_count"], shown["http://h.test/retry"]["last_error"]) == (
        1,
        "http_500",
    )
    assert shown["http://h.test/alias"]["redirects_to"] == "http://h.test/pending"


async def test_a_held_url_is_shown_with_the_priority_it_will_have(operator):
    source = await operator.new_source("held")
    await operator.queue(A, priority=7, source_id=source)
    await operator.run(lambda db: operator.store.hold_source(db, source))

    row = await _seen(operator, A)

    assert (row["held"], row["priority"], row["status"]) == (True, 7, "pending")


async def test_a_url_has_one_row_whatever_it_is_called(operator):
    await operator.queue(A, A)

    assert await operator.run(lambda db: db.fetchval("SELECT count(*) FROM url_frontier")) == 1


async def test_it_is_dated_by_its_last_change_and_before_that_by_its_discovery(operator):
    await operator.queue(A)
    found = await _seen(operator, A)
    await operator.complete(completion(A, reason="gone"))
    died = await _seen(operator, A)
    await operator.requeue(A)
    queued = await _seen(operator, A)

    assert found["updated_at"] == found["discovered_at"]
    assert died["updated_at"] == died["last_fetched_at"] > found["updated_at"]
    assert queued["updated_at"] > queued["last_fetched_at"]


async def test_a_change_by_hand_is_dated_and_the_date_itself_cannot_be_set(operator):
    await operator.queue(A, B)
    await operator.run(
        lambda db: db.execute("UPDATE url SET prio = 9, updated_at = '2001-01-01' WHERE url = $1", A)
    )

    touched, other = await _seen(operator, A), await _seen(operator, B)
    assert touched["updated_at"] > touched["discovered_at"]
    assert other["updated_at"] == other["discovered_at"]
