"""Rows leave the database whole, once, in order, and in small portions."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import asyncpg
import pytest
from tests.support.make import Operator, completion, keep_documents
from tests.support.prose import prose

from outrider.documents.export import LINKS, PAGES, URLS, Row, Selection, Table, export
from outrider.documents.model import Draft
from outrider.documents.near_duplicates import compare
from outrider.documents.packing import pack, pack_links
from outrider.documents.store import DocumentStore
from outrider.hrefs import Hrefs
from outrider.urls import key_of


@pytest.fixture
async def operator(database: str) -> AsyncIterator[Operator]:
    made = await Operator.enter(database)
    yield made
    await made.connection.close()


def draft(url: str, text: str = "", links: Mapping[str, bool] | None = None) -> Draft:
    text = text or f"the words of {url} " * 10
    return Draft(
        key=key_of(url),
        source_id=1,
        status=200,
        size=1000,
        words=len(text.split()),
        content_hash=sha256(text.encode("utf-8", "surrogatepass")).digest(),
        is_comparable=True,
        base=url,
        text=pack(text),
        links=pack_links(Hrefs.of(links or {})),
        title=f"Title of {url}",
    )


async def keep(operator: Operator, *drafts: tuple[str, Draft]) -> None:
    await operator.queue(*(url for url, _ in drafts))
    await operator.complete(*(completion(url) for url, _ in drafts))
    await operator.run(lambda db: keep_documents(db, [made for _, made in drafts]))


async def read(
    operator: Operator, table: Table, selection: Selection | None = None
) -> list[dict[str, object]]:
    async def all_rows(db: asyncpg.Connection) -> list[Row]:
        return [row async for rows in export(db, table, selection or Selection()) for row in rows]

    names = [column.name for column in table.columns]
    return [dict(zip(names, row, strict=True)) for row in await operator.run(all_rows)]


async def test_a_page_comes_with_everything_we_know_of_it(operator: Operator):
    url = "http://a.test/1"
    await keep(operator, (url, draft(url, "some words")))

    [page] = await read(operator, PAGES)

    assert page["url"] == url
    assert page["title"] == "Title of http://a.test/1"
    assert page["text"] == "some words"
    assert page["words"] == 2
    assert page["status"] == 200
    assert page["content_hash"] == sha256(b"some words").hexdigest()
    assert page["duplicate_of"] is None


async def test_a_page_is_marked_with_its_source_its_type_and_whether_it_is_indexed(operator: Operator):
    source_id = await operator.new_source("news")
    metadata = {"keywords": "a, b", "jsonld_raw": [{"@type": "Article"}]}
    article, asks, thin = (f"http://a.test/{name}" for name in ("article", "asks", "thin"))
    await keep(
        operator,
        (article, draft(article)._replace(source_id=source_id, page_type="article", meta=metadata)),
        (asks, draft(asks)._replace(noindex=True)),
        (thin, draft(thin)._replace(page_type="stub", unindexed="quality_gate")),
    )

    pages = {page["url"]: page for page in await read(operator, PAGES)}

    names = ("source", "page_type", "noindex", "indexed", "unindexed", "metadata", "versions")
    assert {url: tuple(page[name] for name in names) for url, page in pages.items()} == {
        article: ("news", "article", False, True, None, metadata, 1),
        asks: ("adhoc", None, True, False, None, None, 1),
        thin: ("adhoc", "stub", False, False, "quality_gate", None, 1),
    }


@pytest.mark.parametrize(("table", "column"), [(PAGES, "url"), (URLS, "url"), (LINKS, "source_url")])
async def test_pages_that_are_not_indexed_can_be_left_out(operator: Operator, table: Table, column: str):
    found, asks, thin = (f"http://a.test/{name}" for name in ("found", "asks", "thin"))
    links = {"/x": False}
    await operator.queue("http://a.test/queued")
    await keep(
        operator,
        (found, draft(found, links=links)),
        (asks, draft(asks, links=links)._replace(noindex=True)),
        (thin, draft(thin, links=links)._replace(unindexed="quality_gate")),
    )

    assert {row[column] for row in await read(operator, table)} >= {found, asks, thin}
    assert {row[column] for row in await read(operator, table, Selection(only_indexed=True))} == {found}


async def test_a_near_duplicate_is_marked_and_names_what_it_resembles(operator: Operator):
    first, second = "http://a.test/1", "http://b.test/2"
    await keep(operator, (first, draft(first, prose("x", 300))))
    await keep(operator, (second, draft(second, prose("x", 300) + " and more")))

    await operator.run(lambda db: compare(db, DocumentStore()))

    pages = {page["url"]: page for page in await read(operator, PAGES)}
    marks = {url: (page["duplicate_of"], page["near_duplicate"]) for url, page in pages.items()}
    assert set(marks.values()) == {(None, False), (second if marks[first][1] else first, True)}


async def test_a_duplicate_names_its_original_and_has_its_text(operator: Operator):
    first, second = "http://a.test/1", "http://b.test/1"
    await keep(operator, (first, draft(first, "the same words")))
    await keep(operator, (second, draft(second, "the same words")))

    pages = {page["url"]: page for page in await read(operator, PAGES)}

    assert pages[second]["duplicate_of"] == first
    assert pages[second]["text"] == "the same words"


async def test_text_with_broken_characters_can_be_written(operator: Operator):
    url = "http://a.test/1"
    await keep(operator, (url, draft(url, "half \ud83d of a smile")))

    [page] = await read(operator, PAGES)

    assert page["text"] == "half ? of a smile"


async def test_links_are_resolved_and_keep_their_place(operator: Operator):
    url = "http://a.test/dir/page"
    links = {"../b?utm_source=x": False, "mailto:a@b": False, "//C.test/": True}
    await keep(operator, (url, draft(url, links=links)))

    assert await read(operator, LINKS) == [
        {"source_url": url, "target_url": "http://a.test/b", "nofollow": False, "position": 1},
        {"source_url": url, "target_url": "http://c.test/", "nofollow": True, "position": 3},
    ]


REPEATED = {"id", "source_id", "created_at"}  # the view has them for those who join by them


async def test_urls_have_the_columns_of_the_view(operator: Operator):
    await operator.queue("http://a.test/1")

    async def view(db: asyncpg.Connection) -> list[str]:
        statement = await db.prepare("SELECT * FROM url_frontier")
        return [each.name for each in statement.get_attributes() if each.name not in REPEATED]

    [row] = await read(operator, URLS)

    assert list(row) == await operator.run(view)
    assert (row["url"], row["status"], row["source"], row["origin"]) == (
        "http://a.test/1",
        "pending",
        "adhoc",
        "manual",
    )


async def test_what_the_export_says_of_a_url_is_what_the_view_says(operator: Operator):
    await operator.queue("http://a.test/1", "http://a.test/2", "http://b.test/3")
    await operator.complete(
        completion("http://a.test/1", reason="not_found", status=404),
        completion("http://a.test/2", moved_to=key_of("http://b.test/3"), status=301),
    )
    rows = await operator.run(lambda db: db.fetch("SELECT * FROM url_frontier"))
    shown = [{name: value for name, value in row.items() if name not in REPEATED} for row in rows]

    exported = await read(operator, URLS)

    assert sorted(exported, key=lambda row: str(row["url"])) == sorted(shown, key=lambda row: row["url"])


async def test_every_row_comes_once_however_small_the_portions(operator: Operator):
    urls = [f"http://h{number % 3}.test/{number}" for number in range(25)]
    await operator.queue(*urls)

    for portion in (1, 4, 25, 26):
        rows = await read(operator, replace(URLS, batch=portion))

        assert sorted(str(row["url"]) for row in rows) == sorted(urls)


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        pytest.param(Selection(host="b.test"), {"http://b.test/1"}, id="one host"),
        pytest.param(Selection(host="nowhere.test"), set(), id="a host that is not there"),
        pytest.param(Selection(source="news"), {"http://b.test/1"}, id="one source"),
        pytest.param(Selection(since=datetime.now(UTC) + timedelta(days=1)), set(), id="nothing is that new"),
        pytest.param(
            Selection(since=datetime(2000, 1, 1, tzinfo=UTC)),
            {"http://a.test/1", "http://b.test/1"},
            id="all",
        ),
    ],
)
async def test_a_selection_narrows_it(operator: Operator, selection: Selection, expected: set[str]):
    source_id = await operator.new_source("news")
    await operator.queue("http://a.test/1")
    await operator.queue("http://b.test/1", source_id=source_id)

    assert {row["url"] for row in await read(operator, URLS, selection)} == expected


async def test_a_limit_is_exact_within_and_across_portions(operator: Operator):
    await operator.queue(*(f"http://a.test/{number}" for number in range(10)))

    for limit in (1, 4, 6, 10, 11):
        rows = await read(operator, replace(URLS, batch=4), Selection(limit=limit))

        assert len(rows) == min(limit, 10)
