"""Old versions of a document can be read and compared, whatever address leads to it."""

from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import pytest
from tests.support.make import Clerk, completion, draft

from outrider.documents.packing import pack
from outrider.documents.store import DocumentStore
from outrider.documents.versions import compare_versions, list_versions, read_version
from outrider.errors import InvalidInput, NotFound
from outrider.urls import key_of

URL = "http://a.test/news/bridge"
TEXTS = ("The bridge opens.\nOn Monday.", "The bridge opens.\nOn Friday.", "The bridge is closed.")


@pytest.fixture
async def clerk(database: str) -> AsyncIterator[Clerk]:
    made = await Clerk.enter(database)
    yield made
    await made.line.close()


async def keep(clerk: Clerk, url: str, *texts: str, **changes: Any) -> None:
    await clerk.queue(url)
    await clerk.complete(completion(url))
    for n, text in enumerate(texts, 1):
        page = draft(url, text, title=f"Title {n}", **changes)
        await clerk.run(lambda db, page=page: DocumentStore().keep(db, [page], 0))  # type: ignore[misc]


async def asked(clerk: Clerk, question: Any, *arguments: Any, **named: Any) -> Any:
    async def ask(db: asyncpg.Connection) -> Any:
        return await question(db, *arguments, **named)

    return await clerk.run(ask)


async def test_versions_are_listed_with_the_newest_first(clerk: Clerk):
    await keep(clerk, URL, *TEXTS)

    found = await asked(clerk, list_versions, URL)

    assert (found.url, found.total) == (URL, 3)
    assert [
        (each.number, each.title, each.words, each.bytes, each.is_current) for each in found.versions
    ] == [
        (3, "Title 3", 4, len(TEXTS[2]), True),
        (2, "Title 2", 5, len(TEXTS[1]), False),
        (1, "Title 1", 5, len(TEXTS[0]), False),
    ]
    assert [each.content_hash for each in found.versions] == [
        draft(URL, text).content_hash.hex() for text in reversed(TEXTS)
    ]
    times = [each.last_seen_at for each in found.versions]
    assert times == sorted(times, reverse=True)


async def test_a_limit_leaves_out_the_oldest(clerk: Clerk):
    await keep(clerk, URL, *TEXTS)

    found = await asked(clerk, list_versions, URL, limit=2)

    assert ([each.number for each in found.versions], found.total) == ([3, 2], 3)


@pytest.mark.parametrize(("number", "text"), list(enumerate(TEXTS, 1)))
async def test_the_text_of_every_version_can_be_read(clerk: Clerk, number: int, text: str):
    await keep(clerk, URL, *TEXTS)

    assert (await asked(clerk, read_version, URL, number)).text == text


async def test_a_copy_has_versions_with_the_text_of_its_original(clerk: Clerk):
    await keep(clerk, "http://b.test/original", "The same words.")
    await keep(clerk, URL, "Other words.", "The same words.")

    assert (await asked(clerk, read_version, URL, 2)).text == "The same words."


async def test_the_last_change_is_compared_unless_versions_are_named(clerk: Clerk):
    await keep(clerk, URL, *TEXTS)

    last = await asked(clerk, compare_versions, URL)
    first = await asked(clerk, compare_versions, URL, newer=2)
    whole = await asked(clerk, compare_versions, URL, older=1)

    pairs = [(each.older.number, each.newer.number) for each in (last, first, whole)]
    assert pairs == [(2, 3), (1, 2), (1, 3)]
    [hunk] = first.difference.hunks
    assert [line.op + line.text for line in hunk.lines] == [
        " The bridge opens.",
        "-On Monday.",
        "+On Friday.",
    ]


async def test_an_address_that_redirects_leads_to_the_versions_of_its_target(clerk: Clerk):
    await keep(clerk, URL, *TEXTS)
    old, older = "http://old.test/bridge", "http://older.test/bridge"
    await clerk.queue(old, older)
    await clerk.complete(
        completion(old, status=301, moved_to=key_of(URL)),
        completion(older, status=301, moved_to=key_of(old)),
    )

    found = await asked(clerk, list_versions, older)

    assert (found.asked, found.url, found.total) == (older, URL, 3)


async def test_an_unknown_address_is_answered_with_those_spelt_like_it(clerk: Clerk):
    await keep(clerk, URL, *TEXTS)
    await keep(clerk, "http://a.test/imprint", "Who we are.")

    with pytest.raises(NotFound, match=rf"/brigde is not known here; did you mean {URL}\?$"):
        await asked(clerk, list_versions, "http://a.test/news/brigde")
    with pytest.raises(NotFound, match=r"http://z\.test/ is not known here$"):
        await asked(clerk, list_versions, "http://z.test/")


async def test_a_known_address_without_a_page_says_where_to_look(clerk: Clerk):
    await clerk.queue(URL)

    with pytest.raises(NotFound, match=f"no page of it was kept: `outrider why {URL}` says why"):
        await asked(clerk, list_versions, URL)


async def test_a_page_with_one_version_has_not_changed(clerk: Clerk):
    await keep(clerk, URL, TEXTS[0])

    with pytest.raises(NotFound, match=r"has one version: its text had not changed by 20\d\d-"):
        await asked(clerk, compare_versions, URL)


@pytest.mark.parametrize(("count", "there"), [(1, "version 1"), (3, "versions 1 to 3")])
async def test_a_version_that_is_not_there_is_answered_with_those_that_are(
    clerk: Clerk, count: int, there: str
):
    await keep(clerk, URL, *TEXTS[:count])

    for question, arguments in ((read_version, (9,)), (compare_versions, (1, 9)), (compare_versions, (9, 1))):
        with pytest.raises(NotFound, match=f"has no version 9, only {there}$"):
            await asked(clerk, question, URL, *arguments)


async def test_a_version_cannot_be_compared_with_itself(clerk: Clerk):
    await keep(clerk, URL, *TEXTS)

    with pytest.raises(InvalidInput, match="version 2 cannot differ from itself"):
        await asked(clerk, compare_versions, URL, 2, 2)


async def test_text_with_broken_characters_can_be_read(clerk: Clerk):
    broken = "half \ud83d of a smile"
    page = draft(URL, "x")._replace(text=pack(broken))
    await clerk.queue(URL)
    await clerk.run(lambda db: DocumentStore().keep(db, [page], 0))

    assert (await asked(clerk, read_version, URL, 1)).text == "half ? of a smile"
