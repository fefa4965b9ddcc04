"""Old versions of a document can be read and compared, whatever address leads to it."""

from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import pytest
from tests.support.make import Operator, completion, draft, keep_documents

from outrider.documents.packing import pack
from outrider.documents.versions import compare_versions, list_versions, read_version
from outrider.errors import InvalidInput, NotFound
from outrider.urls import key_of

URL = "http://a.test/news/bridge"
TEXTS = ("The bridge opens.\nOn Monday.", "The bridge opens.\nOn Friday.", "The bridge is closed.")


@pytest.fixture
async def operator(database: str) -> AsyncIterator[Operator]:
    made = await Operator.enter(database)
    yield made
    await made.connection.close()


async def keep(operator: Operator, url: str, *texts: str, **changes: Any) -> None:
    await operator.queue(url)
    await operator.complete(completion(url))
    for n, text in enumerate(texts, 1):
        page = draft(url, text, title=f"Title {n}", **changes)
        await operator.run(lambda db, page=page: keep_documents(db, [page]))  # type: ignore[misc]


async def asked(operator: Operator, question: Any, *arguments: Any, **named: Any) -> Any:
    async def ask(db: asyncpg.Connection) -> Any:
        return await question(db, *arguments, **named)

    return await operator.run(ask)


async def test_versions_are_listed_with_the_newest_first(operator: Operator):
    await keep(operator, URL, *TEXTS)

    found = await asked(operator, list_versions, URL)

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


async def test_a_limit_leaves_out_the_oldest(operator: Operator):
    await keep(operator, URL, *TEXTS)

    found = await asked(operator, list_versions, URL, limit=2)

    assert ([each.number for each in found.versions], found.total) == ([3, 2], 3)


@pytest.mark.parametrize(("number", "text"), list(enumerate(TEXTS, 1)))
async def test_the_text_of_every_version_can_be_read(operator: Operator, number: int, text: str):
    await keep(operator, URL, *TEXTS)

    assert (await asked(operator, read_version, URL, number)).text == text


async def test_a_copy_has_versions_with_the_text_of_its_original(operator: Operator):
    await keep(operator, "http://b.test/original", "The same words.")
    await keep(operator, URL, "Other words.", "The same words.")

    assert (await asked(operator, read_version, URL, 2)).text == "The same words."


async def test_the_last_change_is_compared_unless_versions_are_named(operator: Operator):
    await keep(operator, URL, *TEXTS)

    last = await asked(operator, compare_versions, URL)
    first = await asked(operator, compare_versions, URL, newer=2)
    whole = await asked(operator, compare_versions, URL, older=1)

    pairs = [(each.older.number, each.newer.number) for each in (last, first, whole)]
    assert pairs == [(2, 3), (1, 2), (1, 3)]
    [hunk] = first.difference.hunks
    assert [line.op + line.text for line in hunk.lines] == [
        " The bridge opens.",
        "-On Monday.",
        "+On Friday.",
    ]


async def test_an_address_that_redirects_leads_to_the_versions_of_its_target(operator: Operator):
    await keep(operator, URL, *TEXTS)
    old, older = "http://old.test/bridge", "http://older.test/bridge"
    await operator.queue(old, older)
    await operator.complete(
        completion(old, status=301, moved_to=key_of(URL)),
        completion(older, status=301, moved_to=key_of(old)),
    )

    found = await asked(operator, list_versions, older)

    assert (found.asked, found.url, found.total) == (older, URL, 3)


async def test_an_unknown_address_is_answered_with_those_spelt_like_it(operator: Operator):
    await keep(operator, URL, *TEXTS)
    await keep(operator, "http://a.test/imprint", "Who we are.")

    with pytest.raises(NotFound, match=rf"/brigde is not known here; did you mean {URL}\?$"):
        await asked(operator, list_versions, "http://a.test/news/brigde")
    with pytest.raises(NotFound, match=r"http://z\.test/ is not known here$"):
        await asked(operator, list_versions, "http://z.test/")


async def test_a_known_address_without_a_page_says_where_to_look(operator: Operator):
    await operator.queue(URL)

    with pytest.raises(NotFound, match=f"no page of it was kept: `outrider why {URL}` says why"):
        await asked(operator, list_versions, URL)


async def test_a_page_with_one_version_has_not_changed(operator: Operator):
    await keep(operator, URL, TEXTS[0])

    with pytest.raises(NotFound, match=r"has one version: its text had not changed by 20\d\d-"):
        await asked(operator, compare_versions, URL)


@pytest.mark.parametrize(("count", "there"), [(1, "version 1"), (3, "versions 1 to 3")])
async def test_a_version_that_is_not_there_is_answered_with_those_that_are(
    operator: Operator, count: int, there: str
):
    await keep(operator, URL, *TEXTS[:count])

    for question, arguments in ((read_version, (9,)), (compare_versions, (1, 9)), (compare_versions, (9, 1))):
        with pytest.raises(NotFound, match=f"has no version 9, only {there}$"):
            await asked(operator, question, URL, *arguments)


async def test_a_version_cannot_be_compared_with_itself(operator: Operator):
    await keep(operator, URL, *TEXTS)

    with pytest.raises(InvalidInput, match="version 2 cannot differ from itself"):
        await asked(operator, compare_versions, URL, 2, 2)


async def test_text_with_broken_characters_can_be_read(operator: Operator):
    broken = "half \ud83d of a smile"
    page = draft(URL, "x")._replace(text=pack(broken))
    await operator.queue(URL)
    await operator.run(lambda db: keep_documents(db, [page]))

    assert (await asked(operator, read_version, URL, 1)).text == "half ? of a smile"
