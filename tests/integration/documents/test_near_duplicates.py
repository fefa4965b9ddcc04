"""Near-duplicates: found through an index, once for each document, marked and counted."""

import sys
from functools import partial

import pytest
from tests.support.make import draft as unsigned_draft
from tests.support.make import keep_documents
from tests.support.prose import prose

from outrider.documents.model import Draft
from outrider.documents.near_duplicates import ComparisonResult, compare
from outrider.documents.store import DocumentStore
from outrider.extract.similarity.signature import signature
from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.text_signatures import BANDS, bands
from outrider.urls import key_of
from outrider.workers.comparison import compare_some

STORE = DocumentStore()
FRONTIER = FrontierStore(FrontierOptions())
STORY = prose("A long story", 300)


def variant(number: int) -> str:
    words = STORY.split()
    words[number * 7] = f"word{number}"
    return " ".join(words)


def draft(url: str, text: str, *, is_signed: bool = True) -> Draft:
    made = unsigned_draft(url, text)
    return made._replace(signature=signature(text)) if is_signed else made


@pytest.fixture(params=[True, False], ids=["signed", "unsigned"], autouse=True)
def is_signed(request, monkeypatch):
    """Every test, for documents that have a signature from their flush, and for those of earlier versions."""
    monkeypatch.setattr(sys.modules[__name__], "draft", partial(draft, is_signed=request.param))
    return request.param


@pytest.fixture
async def db(pool):
    async with pool.acquire() as connection:
        yield connection


async def _compare_all(db, limit=50):
    passes = []
    while (done := await compare_some(db, STORE, FRONTIER, limit)).signed:
        passes.append(done)
    return passes


async def test_nothing_to_compare_is_nothing_done(db):
    assert await compare(db, STORE) == ComparisonResult(0, 0)


@pytest.mark.parametrize("limit", [1, 2, 50])
async def test_pages_alike_lead_to_one_of_them(db, limit):
    """Whether they meet in one pass or in several."""
    urls = [f"http://a.test/{number}" for number in range(5)]
    for number, url in enumerate(urls):
        await keep_documents(db, [draft(url, variant(number))])
    await keep_documents(db, [draft("http://a.test/other", prose("Another matter", 300))])

    passes = await _compare_all(db, limit)

    rows = await db.fetch("SELECT url_hash, duplicate_hash, near_duplicate, text_id FROM document")
    marked = [row for row in rows if row["near_duplicate"]]
    assert sum(done.signed for done in passes) == 6
    assert sum(done.alike for done in passes) == len(marked) == 4
    assert len({row["duplicate_hash"] for row in marked}) == 1
    assert all(row["text_id"] for row in marked)
    assert await db.fetchval("SELECT value FROM counter WHERE name = 'near_duplicates'") == 4


async def test_a_signed_page_is_compared_without_its_text(db, is_signed):
    await keep_documents(db, [draft("http://a.test/1", STORY), draft("http://a.test/2", variant(1))])
    assert await STORE.count_unsigned(db) == 2
    if is_signed:
        await db.execute("UPDATE document_text SET bytes = 'no text that could be unpacked'")

    assert [(done.signed, done.alike) for done in await _compare_all(db)] == [(2, 1)]
    assert await STORE.count_unsigned(db) == 0


async def test_a_page_that_is_gone_is_no_longer_to_be_compared(db):
    await keep_documents(db, [draft("http://a.test/1", STORY), draft("http://a.test/2", variant(1))])
    await db.execute("DELETE FROM document WHERE url_hash = $1", key_of("http://a.test/1").hash)

    passes = await _compare_all(db)

    assert sum(done.alike for done in passes) == 0
    assert await STORE.count_unsigned(db) == 0


async def test_a_page_of_few_words_waits_for_nothing(db, is_signed):
    await keep_documents(db, [draft("http://a.test/", "Too few words.")])

    assert await STORE.count_unsigned(db) == (not is_signed)


async def test_a_page_is_compared_once(db):
    await keep_documents(db, [draft("http://a.test/", STORY)])
    await _compare_all(db)
    await keep_documents(db, [draft("http://a.test/", STORY)])

    assert await _compare_all(db) == []


async def test_a_page_that_changed_is_compared_again(db):
    await keep_documents(db, [draft("http://a.test/1", STORY)])
    await keep_documents(db, [draft("http://a.test/2", variant(1))])
    await _compare_all(db)
    for number in (1, 2):
        await keep_documents(db, [draft(f"http://a.test/{number}", prose(f"News {number}", 300))])

    assert [(done.signed, done.alike) for done in await _compare_all(db)] == [(2, 0)]
    for number in (1, 2):
        assert (await STORE.find(db, key_of(f"http://a.test/{number}")))["duplicate_hash"] is None


async def test_a_page_that_hardly_changed_is_not_its_own_copy(db):
    await keep_documents(db, [draft("http://a.test/", STORY)])
    await _compare_all(db)
    await keep_documents(db, [draft("http://a.test/", variant(1))])

    assert [(done.signed, done.alike) for done in await _compare_all(db)] == [(1, 0)]
    rows = await db.fetch("SELECT band FROM document_band GROUP BY band HAVING count(*) > 1")
    assert rows == [], "a band it had before is not written again"


async def test_a_band_that_many_pages_share_holds_a_few_of_them(db, monkeypatch):
    """The frame of a site is on all its pages. Whoever shares it is found by the other bands."""
    monkeypatch.setattr("outrider.documents.near_duplicates.bands", lambda sig: (1, *bands(sig)[1:]))
    monkeypatch.setattr("outrider.documents.near_duplicates.MOST_SHARING", 3)
    for number in range(6):
        await keep_documents(db, [draft(f"http://a.test/{number}", prose(f"Page {number}", 300))])
    await _compare_all(db, limit=2)
    assert await db.fetchval("SELECT count(*) FROM document_band WHERE band = 1") == 3
    assert await db.fetchval("SELECT count(*) FROM document_band") == 6 * (BANDS - 1) + 3

    words = prose("Page 5", 300).split()
    await keep_documents(db, [draft("http://a.test/copy", " ".join(["Oh", *words[1:]]))])

    assert [(done.signed, done.alike) for done in await _compare_all(db)] == [(1, 1)]


async def test_only_one_compares_at_a_time(db, pool):
    """Two pages alike that meet in two passes at once would not see each other."""
    await keep_documents(db, [draft("http://a.test/", STORY)])
    async with pool.acquire() as other, db.transaction():
        assert (await compare(db, STORE)).signed == 1
        await keep_documents(other, [draft("http://a.test/2", variant(1))])
        assert await compare(other, STORE) == ComparisonResult(0, 0)

    assert [(done.signed, done.alike) for done in await _compare_all(db)] == [(1, 1)]


async def test_exact_duplicates_need_no_comparing(db):
    await keep_documents(db, [draft(f"http://a.test/{number}", STORY) for number in range(3)])

    assert [(done.signed, done.alike) for done in await _compare_all(db)] == [(1, 0)]


async def test_who_repeats_a_near_duplicate_word_for_word_is_its_copy_and_both_stay_so(db):
    for url, text in (("http://a.test/wire", STORY), ("http://a.test/ours", variant(1))):
        await keep_documents(db, [draft(url, text)])
        await _compare_all(db)
    await keep_documents(db, [draft("http://a.test/print", variant(1))])
    await keep_documents(db, [draft("http://a.test/ours", variant(1))])

    found = {
        row["url_hash"].hex: row
        for row in await db.fetch("SELECT url_hash, duplicate_hash, near_duplicate, text_id FROM document")
    }
    ours, copy = found[key_of("http://a.test/ours").hash], found[key_of("http://a.test/print").hash]
    assert (copy["duplicate_hash"], copy["near_duplicate"], copy["text_id"]) == (
        ours["url_hash"],
        False,
        None,
    )
    assert ours["duplicate_hash"].hex == key_of("http://a.test/wire").hash
    assert ours["near_duplicate"]
    assert ours["text_id"]
