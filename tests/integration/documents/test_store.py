"""Documents are kept once under their address, whoever writes them and how often."""

import asyncio
from contextlib import asynccontextmanager

import pytest
from tests.support.locks import wait_for_a_lock
from tests.support.make import draft, keep_documents, unnamed_texts

from outrider.documents.packing import unpack
from outrider.documents.purge import purge
from outrider.documents.store import DocumentStore
from outrider.documents.texts import write_texts
from outrider.urls import key_of

A, B, C = (f"http://a.test/{name}" for name in "abc")
STORE = DocumentStore()
SAME = "The same words."


@pytest.fixture
async def db(pool):
    async with pool.acquire() as connection:
        yield connection


async def _counts(db):
    rows = await db.fetch("SELECT name, sum(value)::int AS value FROM counter GROUP BY name")
    return {row["name"]: row["value"] for row in rows}


async def _document(db, url):
    return await STORE.find(db, key_of(url))


async def _text(db, url):
    return await db.fetchval("SELECT packed_text($1)", (await _document(db, url))["text_id"])


async def test_a_page_comes_back_as_it_was_kept(db):
    await keep_documents(db, [draft(A, "Some text.", title="T", etag='"e"', noindex=True)])

    found = await _document(db, A)

    assert (found["title"], found["etag"], found["noindex"], found["versions"]) == ("T", '"e"', True, 1)
    assert unpack(await _text(db, A)) == "Some text."


async def test_a_long_text_comes_back_whole(db):
    text = "".join(chr(0x4E00 + number * 7919 % 20_000) for number in range(30_000))

    await keep_documents(db, [draft(A, text), draft(B, "short")])

    assert await db.fetchval("SELECT count(*) FROM document_text") > 5
    assert (unpack(await _text(db, A)), unpack(await _text(db, B))) == (text, "short")


async def test_texts_leave_little_of_their_blocks_empty(db):
    texts = [(number, bytes(3_000 + number * 37 % 9_000)) for number in range(200)]

    await write_texts(db, texts)

    stored = await db.fetchval("SELECT pg_relation_size('document_text')")
    assert stored < 1.1 * sum(len(text) for _, text in texts)


async def test_every_stored_text_belongs_to_a_document_or_a_version(db):
    await keep_documents(db, [draft(A, SAME), draft(B, SAME), draft(C, "Other words.")])
    for text in ("one", "one", "Other words.", "two"):
        await keep_documents(db, [draft(A, text)])
        assert await unnamed_texts(db) == 0
    await keep_documents(db, [draft(B, "New words.")])

    assert await unnamed_texts(db) == 0
    assert await db.fetchval("SELECT count(*) FROM document_text") == 7


async def test_a_removed_original_leaves_its_text_to_a_copy_and_no_other(db):
    await keep_documents(db, [draft(A, "Old words.")])
    await keep_documents(db, [draft(A, SAME), draft(B, SAME), draft(C, SAME)])

    await purge(db, [key_of(A)])

    assert [await _says(db, url) for url in (B, C)] == [SAME, SAME]
    assert await unnamed_texts(db) == 0
    assert await db.fetchval("SELECT count(*) FROM document_text") == 1


async def test_keeping_it_again_counts_nothing_new(db):
    for _ in range(3):
        await keep_documents(db, [draft(A)])

    assert await _counts(db) == {"documents": 1}
    assert (await _document(db, A))["versions"] == 1


async def test_a_page_kept_again_has_the_number_of_its_new_links(db):
    for count in (3, 5):
        await keep_documents(db, [draft(A, links_count=count)])

    assert (await _document(db, A))["links_count"] == 5


def unchanged(url, text):
    """A page whose text was stored when its URL was claimed."""
    return draft(url, text)._replace(text=text.encode(), is_unchanged=True)


async def test_an_unchanged_text_is_not_written_again(db):
    await keep_documents(db, [draft(A, "one")])
    before = await db.fetchrow("SELECT text_id, ctid, xmin FROM document_text")

    await keep_documents(db, [unchanged(A, "one")])
    await keep_documents(db, [draft(A, "one")])

    assert await db.fetch("SELECT text_id, ctid, xmin FROM document_text") == [before]
    assert unpack(await _text(db, A)) == "one"


async def test_an_unchanged_page_keeps_its_signature(db):
    await keep_documents(db, [draft(A, "one", signature=b"signed")])

    await keep_documents(db, [unchanged(A, "one")])

    assert (await _document(db, A))["signature"] == b"signed"


async def test_a_page_that_was_purged_since_its_claim_is_stored_whole(db):
    await keep_documents(db, [draft(A, "one")])
    await purge(db, [key_of(A)])

    await keep_documents(db, [unchanged(A, "one")])

    assert unpack(await _text(db, A)) == "one"


async def test_a_near_duplicate_that_did_not_change_keeps_its_text(db):
    await keep_documents(db, [draft(A, "one", signature=b"s"), draft(B, "ones", signature=b"s")])
    await STORE.sign(db, [(key_of(B), b"s", key_of(A))])

    await keep_documents(db, [unchanged(B, "ones")])

    found = await _document(db, B)
    assert (found["near_duplicate"], found["duplicate_hash"].hex) == (True, key_of(A).hash)
    assert unpack(await _text(db, B)) == "ones"


@asynccontextmanager
async def _late(pool, *pages):
    """A worker that stores these pages while the block of the caller has already changed them."""
    async with pool.acquire() as connection, pool.acquire() as other:
        async with connection.transaction():
            yield connection
            late = asyncio.create_task(keep_documents(other, pages, 1))
            async with pool.acquire() as looking:
                await wait_for_a_lock(looking)
        await late


async def test_of_two_workers_that_store_a_new_page_at_once_one_stores_its_text(pool):
    async with _late(pool, draft(A, "late"), draft(B, "of the late one")) as first:
        await keep_documents(first, [draft(A, "first")])

    async with pool.acquire() as db:
        assert unpack(await _text(db, A)) == "first"
        assert unpack(await _text(db, B)) == "of the late one"
        assert await unnamed_texts(db) == 0
        assert await _counts(db) == {"documents": 2}


async def test_two_workers_that_store_a_known_page_at_once_leave_a_version_each(pool, db):
    await keep_documents(db, [draft(A, "one")])
    async with _late(pool, draft(A, "three")) as first:
        await keep_documents(first, [draft(A, "two")])

    past = await db.fetch("SELECT packed_text(text_id) AS text FROM document_version ORDER BY version")
    assert [unpack(row["text"]) for row in past] == ["one", "two"]
    assert unpack(await _text(db, A)) == "three"
    assert await unnamed_texts(db) == 0


async def test_a_text_that_became_a_version_in_the_same_moment_is_stored_again(pool, db):
    await keep_documents(db, [draft(A, "one")])
    async with _late(pool, unchanged(A, "one")) as first:
        await keep_documents(first, [draft(A, "two")])

    await db.execute("DELETE FROM document_text WHERE text_id IN (SELECT text_id FROM document_version)")
    assert unpack(await _text(db, A)) == "one"


async def test_a_text_that_is_purged_in_the_same_moment_is_stored_again(pool, db):
    await keep_documents(db, [draft(A, "one")])
    async with _late(pool, unchanged(A, "one")) as first:
        await purge(first, [key_of(A)])

    assert unpack(await _text(db, A)) == "one"


async def test_versions_are_numbered_in_order(db):
    for text in ("one", "two", "two", "three"):
        await keep_documents(db, [draft(A, text)])

    versions = await db.fetch(
        "SELECT version, packed_text(text_id) AS text FROM document_version ORDER BY version"
    )
    assert [(row["version"], unpack(row["text"])) for row in versions] == [(1, "one"), (2, "two")]
    assert (await _document(db, A))["versions"] == 3


async def test_workers_that_keep_the_same_page_at_once_keep_one(pool):
    async def keep(slot):
        async with pool.acquire() as connection:
            await keep_documents(connection, [draft(A), draft(B)], slot)

    await asyncio.gather(*(keep(slot) for slot in range(6)))

    async with pool.acquire() as connection:
        assert await connection.fetchval("SELECT count(*) FROM document") == 2
        assert await _counts(connection) == {"documents": 2}


@pytest.mark.parametrize("together", [True, False], ids=["in one batch", "one after the other"])
async def test_a_text_is_kept_once(db, together):
    pages = [draft(url, SAME) for url in (A, B, C)]
    for batch in [pages] if together else [[page] for page in pages]:
        await keep_documents(db, batch)

    found = [await _document(db, url) for url in (A, B, C)]
    assert [page["text_id"] is None for page in found] == [False, True, True]
    assert {page["duplicate_hash"] for page in found[1:]} == {found[0]["url_hash"]}
    assert await _counts(db) == {"documents": 3, "duplicates": 2}


async def test_copies_of_one_batch_are_copies_of_what_was_there_before(db):
    await keep_documents(db, [draft(C, SAME)])

    await keep_documents(db, [draft(A, SAME), draft(B, SAME)])

    assert [(await _document(db, url))["duplicate_hash"].hex for url in (A, B)] == [key_of(C).hash] * 2


async def test_who_holds_a_text_goes_on_holding_it(db):
    await keep_documents(db, [draft(B, SAME)])

    await keep_documents(db, [draft(A, SAME), draft(B, SAME)])

    assert (await _document(db, A))["duplicate_hash"].hex == key_of(B).hash
    assert (await _document(db, B))["duplicate_hash"] is None
    assert unpack(await _text(db, B)) == SAME


async def _says(db, url):
    key = key_of(url)
    text = await db.fetchval(
        "SELECT packed_text(coalesce(text_id, "
        "original_text(content_hash, duplicate_host_id, duplicate_hash))) "
        "FROM document WHERE host_id = $1 AND url_hash = $2",
        key.host_id,
        key.hash,
    )
    return unpack(text)


async def test_a_copy_says_what_it_said_after_its_original_changed(db):
    await keep_documents(db, [draft(A, SAME), draft(B, SAME)])
    for text in ("Other words.", "And others again."):
        await keep_documents(db, [draft(A, text)])

    assert await _says(db, B) == SAME


async def test_a_copy_that_changes_leaves_a_version_with_its_words(db):
    await keep_documents(db, [draft(A, SAME), draft(B, SAME)])
    await keep_documents(db, [draft(A, "Other words.")])
    await keep_documents(db, [draft(B, "New words.")])

    version = await db.fetchrow(
        "SELECT packed_text(text_id) AS text FROM document_version WHERE host_id = $1 AND url_hash = $2",
        *key_of(B),
    )
    assert unpack(version["text"]) == SAME


async def test_a_copy_that_changes_beside_its_unchanged_original_leaves_a_version(db):
    await keep_documents(db, [draft(A, SAME), draft(B, SAME)])
    await keep_documents(db, [draft(A, SAME), draft(B, "New words.")])

    version = await db.fetchval("SELECT packed_text(text_id) FROM document_version")
    assert unpack(version) == SAME
    assert await _says(db, A) == SAME
    assert await unnamed_texts(db) == 0


async def test_an_original_that_becomes_a_copy_leaves_its_copies_their_words(db):
    await keep_documents(db, [draft(A, SAME), draft(B, SAME), draft(C, "Other words.")])
    await keep_documents(db, [draft(A, "Other words.")])

    assert [await _says(db, url) for url in (A, B, C)] == ["Other words.", SAME, "Other words."]


async def test_pages_too_short_to_compare_are_all_kept(db):
    await keep_documents(db, [draft(url, "x", is_comparable=False) for url in (A, B)])

    assert [(await _document(db, url))["duplicate_hash"] for url in (A, B)] == [None, None]


async def test_a_page_is_not_a_duplicate_of_itself(db):
    for _ in range(2):
        await keep_documents(db, [draft(A)])

    assert (await _document(db, A))["duplicate_hash"] is None


async def test_a_confirmed_page_changes_only_its_date(db):
    await keep_documents(db, [draft(A)])
    before = dict(await _document(db, A))

    await STORE.confirm(db, [key_of(A), key_of(B)])

    after = dict(await _document(db, A))
    assert after.pop("fetched_at") > before.pop("fetched_at")
    assert after == before


async def test_nothing_to_keep_is_no_statement(db):
    await keep_documents(db, [])
    await STORE.confirm(db, [])

    assert await _counts(db) == {}
