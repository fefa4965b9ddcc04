"""Use cases of pages."""

import io
import json

import pytest
from tests.support.make import completion, draft, keep_documents

from outrider.documents.export import Selection
from outrider.documents.formats import Format
from outrider.errors import InvalidInput, NotFound
from outrider.services.pages.versions import (
    ExportTable,
    compare_versions,
    export,
    list_versions,
    read_version,
)
from outrider.services.paging import PageRequest

PAGE = "http://a.test/page"


@pytest.fixture
async def page(operator):
    """A page that has said two things."""
    await operator.queue(PAGE)
    for text in ("first words", "second words"):
        await operator.complete(completion(PAGE))
        await operator.run(lambda db, text=text: keep_documents(db, [draft(PAGE, text)]))


async def test_versions_are_listed_read_and_compared(operator, page):
    listed = await operator.run(lambda db: list_versions(db, PAGE, PageRequest(limit=1)))
    first = await operator.run(lambda db: read_version(db, PAGE, 1))
    changed = await operator.run(lambda db: compare_versions(db, PAGE))

    assert (listed.total, [each.number for each in listed.versions]) == (2, [2])
    assert first.text == "first words"
    assert (changed.older.number, changed.newer.number) == (1, 2)


async def test_too_many_lines_around_a_change_are_refused(operator):
    with pytest.raises(InvalidInput, match="context is a number from 0 to"):
        await operator.run(lambda db: compare_versions(db, PAGE, context=10**6))


async def test_an_export_counts_its_rows_and_tells_how_far_it_is(operator, page):
    file, told = io.BytesIO(), []

    rows = await operator.run(
        lambda db: export(db, ExportTable.PAGES, Selection(), Format.JSONL, file, told.append)
    )

    [line] = file.getvalue().splitlines()
    assert (rows, told, json.loads(line)["text"]) == (1, [1], "second words")


async def test_an_export_of_a_source_that_does_not_exist_writes_nothing(operator, page):
    file, selection = io.BytesIO(), Selection(source="nobody")

    with pytest.raises(NotFound, match="there is no source 'nobody'"):
        await operator.run(lambda db: export(db, ExportTable.URLS, selection, Format.CSV, file, print))

    assert file.getvalue() == b""


async def test_an_export_takes_the_name_or_the_id_of_a_source(operator, page):
    source = await operator.new_source("paper")
    await operator.queue("http://paper.test/", source_id=source)
    public_id = await operator.run(
        lambda db: db.fetchval("SELECT public_id FROM source WHERE source_id = $1", source)
    )

    for named in ("paper", str(public_id)):
        file, selection = io.BytesIO(), Selection(source=named)
        await operator.run(
            lambda db, file=file, selection=selection: export(
                db, ExportTable.URLS, selection, Format.JSONL, file, lambda _: None
            )
        )
        [line] = file.getvalue().splitlines()
        assert json.loads(line)["url"] == "http://paper.test/", named
