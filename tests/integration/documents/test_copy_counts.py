"""The counters of copies say how many documents are copies now, whatever became of them."""

import pytest
from tests.support.make import draft, keep_documents
from tests.support.prose import prose

from outrider.documents.purge import purge
from outrider.documents.store import DocumentStore
from outrider.extract.similarity.signature import signature
from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.urls import key_of
from outrider.workers.comparison import compare_some

A, B, C = (f"http://a.test/{name}" for name in "abc")
STORY = prose("A long story", 300)
STORE = DocumentStore()
FRONTIER = FrontierStore(FrontierOptions())


@pytest.fixture
async def db(pool):
    async with pool.acquire() as connection:
        yield connection


def nearly(number: int) -> str:
    """The story with another word."""
    words = STORY.split()
    words[number * 7] = f"word{number}"
    return " ".join(words)


async def _keep(db, url, text):
    await keep_documents(db, [draft(url, text)._replace(signature=signature(text))])


async def _compare_all(db):
    while (await compare_some(db, STORE, FRONTIER, 50)).signed:
        pass


async def _purge(db, url):
    async with db.transaction():
        removed, counts = await purge(db, [key_of(url)])
        await FRONTIER.add_counts(db, counts)
    return removed


async def _copies(db):
    """Copies and near-copies by the counters, which have to agree with the documents."""
    names = ("documents", "duplicates", "near_duplicates")
    rows = await db.fetch("SELECT name, sum(value)::int AS value FROM counter GROUP BY name")
    counted = {row["name"]: row["value"] for row in rows}
    stored = await db.fetchrow(
        "SELECT count(*) AS documents, "
        "count(*) FILTER (WHERE duplicate_hash IS NOT NULL AND NOT near_duplicate) AS duplicates, "
        "count(*) FILTER (WHERE near_duplicate) AS near_duplicates FROM document"
    )
    assert [counted.get(name, 0) for name in names] == [stored[name] for name in names]
    return stored["duplicates"], stored["near_duplicates"]


async def test_a_near_copy_that_changes_again_and_again_is_counted_once(db):
    await _keep(db, A, STORY)
    for number in (1, 2, 3):
        await _keep(db, B, nearly(number))
        await _compare_all(db)
        assert await _copies(db) == (0, 1)


async def test_a_near_copy_that_gets_other_words_is_no_longer_counted(db):
    await _keep(db, A, STORY)
    await _keep(db, B, nearly(1))
    await _compare_all(db)

    await _keep(db, B, prose("News", 300))
    await _compare_all(db)

    assert await _copies(db) == (0, 0)


async def test_a_near_copy_that_becomes_a_copy_is_counted_as_that(db):
    await _keep(db, A, STORY)
    await _keep(db, B, nearly(1))
    await _compare_all(db)
    assert await _copies(db) == (0, 1)

    await _keep(db, B, STORY)
    await _compare_all(db)

    assert await _copies(db) == (1, 0)


async def test_a_page_that_becomes_a_copy_later_is_counted(db):
    await _keep(db, A, STORY)
    await _keep(db, B, prose("News", 300))
    assert await _copies(db) == (0, 0)

    await _keep(db, B, STORY)

    assert await _copies(db) == (1, 0)


async def test_a_copy_that_gets_its_own_words_is_no_longer_counted(db):
    await _keep(db, A, STORY)
    await _keep(db, B, STORY)
    assert await _copies(db) == (1, 0)

    await _keep(db, B, prose("News", 300))

    assert await _copies(db) == (0, 0)


async def test_a_copy_that_is_confirmed_stays_counted_once(db):
    for _ in range(3):
        await _keep(db, A, STORY)
        await _keep(db, B, STORY)

    assert await _copies(db) == (1, 0)


@pytest.mark.parametrize("gone", [A, B, C])
async def test_a_purge_counts_the_copies_that_are_left(db, gone):
    for url in (A, B, C):
        await _keep(db, url, STORY)
    assert await _copies(db) == (2, 0)

    assert await _purge(db, gone) == 1

    assert await _copies(db) == (1, 0)


@pytest.mark.parametrize("gone", [A, B])
async def test_a_purge_counts_the_near_copies_that_are_left(db, gone):
    await _keep(db, A, STORY)
    await _keep(db, B, nearly(1))
    await _compare_all(db)

    assert await _purge(db, gone) == 1

    assert await _copies(db) == (0, 0)


async def test_a_page_that_became_a_copy_while_it_was_compared_stays_a_copy(db):
    """The comparison has read the signature of words that are replaced meanwhile."""
    await _keep(db, A, STORY)
    await _keep(db, B, nearly(1))
    await _keep(db, B, STORY)

    await STORE.sign(db, [(key_of(B), signature(nearly(1)), key_of(A))])

    assert await _copies(db) == (1, 0)
