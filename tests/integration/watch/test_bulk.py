"""Import of many sources: what is fine goes in, what is not is explained, and once is enough."""

from unicodedata import normalize

import pytest
from tests.support.make import Operator
from tests.support.spreadsheet import xlsx

from outrider.errors import Conflict, InvalidInput
from outrider.sources.exporter import ExportFormat, written
from outrider.sources.importer import read_import
from outrider.sources.model import SourceFilter
from outrider.sources.source_changes import SourceChanges
from outrider.sources.store import SourceStore
from outrider.watch.bulk import RowResult, count_results, expected_result, import_sources
from outrider.watch.source_service import SourceService

BAD = [
    ["Bad {n}", "nowhere", "", "", ""],
    ["Bad {n}", "", "", "", ""],
    ["Bad {n}", "https://bad{n}.test/", "ftp://feed", "", ""],
    ["Bad {n}", "https://bad{n}.test/", "", "sometimes", ""],
    ["Bad {n}", "https://bad{n}.test/", "", "", "2d"],
    ["Site 1", "https://bad{n}.test/", "", "", ""],
    ["x" * 201, "https://bad{n}.test/", "", "", ""],
    ["adhoc", "https://bad{n}.test/", "", "", ""],
]


def list_of_500() -> list[list[str]]:
    """460 good rows, and a bad one after every eleven of the first ones."""
    good = [
        [f"Site {n}", f"https://site{n}.test/", f"https://site{n}.test/feed", "feed", "10s"]
        for n in range(460)
    ]
    bad = [[cell.replace("{n}", str(n)) for cell in BAD[n % len(BAD)]] for n in range(40)]
    rows = good[:]
    for number, row in enumerate(bad, start=1):
        rows.insert(number * 12, row)
    return [["name", "url", "feed", "mode", "delay"], *rows]


@pytest.fixture
async def operator(database):
    operator = await Operator.enter(database)
    yield operator
    await operator.connection.close()


async def import_(operator, content):
    candidates = read_import(content).candidates
    return await operator.run(lambda db: import_sources(db, SourceService(operator.store), candidates))


async def everything(operator):
    tables = ("source", "source_host", "channel", "url", "host", "counter", "url_source")
    return [
        await operator.run(lambda db, table=table: db.fetch(f"SELECT x::text FROM {table} x ORDER BY 1"))
        for table in tables
    ]


async def test_of_500_rows_with_40_bad_ones_460_go_in_and_40_are_explained(operator):
    content = xlsx(list_of_500())

    first = await import_(operator, content)
    stored = await everything(operator)
    second = await import_(operator, content)

    assert count_results(first) == {RowResult.ADDED: 460, RowResult.REFUSED: 40}
    assert all(report.problems for report in first if report.end is RowResult.REFUSED)
    assert count_results(second) == {RowResult.UNCHANGED: 460, RowResult.REFUSED: 40}
    assert await everything(operator) == stored
    assert (await operator.run(lambda db: SourceStore().page(db, SourceFilter())))[1] == 460


async def test_a_row_changes_the_source_of_its_name_or_without_one_of_its_address(operator):
    await import_(operator, b"name,url,delay\nA,https://a.de/,1s\n,https://b.de/,1s\n")

    reports = await import_(
        operator, b"name,url,delay,feed\nA,https://a.org/,1s,\n,b.de,5s,https://b.de/feed\n"
    )

    assert [(report.end, report.changed) for report in reports] == [
        (RowResult.CHANGED, ("url",)),
        (RowResult.CHANGED, ("delay", "channels")),
    ]
    assert (await operator.run(lambda db: SourceStore().find(db, "A"))).url == "https://a.org/"


async def test_a_new_name_for_a_site_that_is_watched_already_is_said(operator):
    await import_(operator, b"name,url\nA,https://a.test/\n")

    reports = await import_(operator, b"name,url\nB,https://a.test/\nC,https://a.test/\n")

    assert [(each.end, each.notes) for each in reports] == [
        (RowResult.ADDED, ("url: 'A' is watched there already: the two share its feeds",)),
        (RowResult.ADDED, ("url: the same as in row 2: two sources of one site share its feeds",)),
    ]


async def test_what_a_list_calls_disabled_is_disabled_and_stays_so(operator):
    content = b"name,url,active\nA,https://a.de/,no\n"

    [first] = await import_(operator, content)
    [second] = await import_(operator, content)

    assert (first.end, second.end) == (RowResult.ADDED, RowResult.UNCHANGED)
    assert not (await operator.run(lambda db: SourceStore().find(db, "A"))).enabled


@pytest.mark.parametrize("form", [ExportFormat.OPML, ExportFormat.CSV])
async def test_an_export_imported_again_changes_nothing(operator, form):
    await import_(
        operator,
        b"name,url,feed,sitemap,mode,delay,labels,active\n"
        b'A,https://a.de/,https://a.de/1 https://a.de/2,https://a.de/s,both,10s,"x, y",yes\n'
        b"B,https://b.de/,https://b.de/f,,feed,,,no\n"
        b"C,https://c.de/,,,spider,,,\n",
    )
    listed, _ = await operator.run(lambda db: SourceStore().page(db, SourceFilter()))
    ids = [each.source.source_id for each in listed]
    channels = await operator.run(lambda db: SourceStore().channel_addresses(db, ids))
    text = written([(each.source, channels[each.source.source_id]) for each in listed], form)

    reports = await import_(operator, text.encode())

    assert [(report.name, report.end) for report in reports] == [
        (name, RowResult.UNCHANGED) for name in "ABC"
    ]


def test_where_nothing_is_watched_yet_every_good_row_would_be_added():
    candidates = read_import(b"url\nhttps://a.de/\nnowhere\n").candidates

    assert [expected_result(candidate).end for candidate in candidates] == [
        RowResult.ADDED,
        RowResult.REFUSED,
    ]


async def test_a_file_that_cannot_be_read_changes_nothing(operator):
    with pytest.raises(InvalidInput):
        await import_(operator, b"<opml>")

    assert (await operator.run(lambda db: SourceStore().page(db, SourceFilter()))) == ([], 0)


async def exported(operator) -> str:
    store = SourceStore()
    listed, _ = await operator.run(lambda db: store.page(db, SourceFilter(limit=1000)))
    channels = await operator.run(
        lambda db: store.channel_addresses(db, [each.source.source_id for each in listed])
    )
    return written(((each.source, channels[each.source.source_id]) for each in listed), ExportFormat.JSON)


async def test_what_is_exported_as_json_is_the_same_after_an_import(operator):
    await import_(
        operator,
        b"name,url,feed,labels,identity_key,allow_source_discovery,enabled\n"
        b"A,https://a.test/,https://a.test/feed,x,key-a,no,yes\n"
        b"B,https://b.test/,,,,,no\n",
    )
    before = await exported(operator)

    again = count_results(await import_(operator, before.encode()))
    for named in ("A", "B"):
        source = await operator.run(lambda db, named=named: SourceStore().find(db, named))
        await operator.run(lambda db, source=source: SourceService(operator.store).remove(db, source))
    anew = count_results(await import_(operator, before.encode()))

    assert (again[RowResult.UNCHANGED], anew[RowResult.ADDED]) == (2, 2)
    assert await exported(operator) == before


async def test_a_source_with_an_identity_key_may_change_its_name_and_its_address(operator):
    """SRC-01, SRC-14."""
    await import_(operator, b"name,url,identity_key\nA,https://a.test/,key-a\nB,https://b.test/,key-b\n")

    [renamed] = await import_(operator, b"name,url,identity_key\nAlpha,https://alpha.test/,key-a\n")
    [taken] = await import_(operator, b"name,url,identity_key\nB,https://b.test/,key-c\n")
    stolen = await import_(operator, b"name,url,identity_key\nAlpha,https://c.test/,key-b\n")

    assert (renamed.end, set(renamed.changed)) == (RowResult.CHANGED, {"name", "url"})
    assert (taken.end, taken.changed) == (RowResult.CHANGED, ("identity_key",))
    assert stolen[0].end is RowResult.CHANGED, "nobody has key-b any more, so it is Alpha's now"
    found = await operator.run(lambda db: SourceStore().find(db, "key-b"))
    assert (found.name, found.url) == ("Alpha", "https://c.test/")


async def test_an_identity_key_belongs_to_one_source(operator):
    await import_(operator, b"name,url,identity_key\nA,https://a.test/,key-a\nB,https://b.test/,key-b\n")
    source = await operator.run(lambda db: SourceStore().find(db, "B"))

    with pytest.raises(Conflict, match="'A' has the identity key 'key-a' already"):
        await operator.run(
            lambda db: SourceService(operator.store).change(db, source, SourceChanges(identity_key="key-a"))
        )


@pytest.mark.parametrize("stored", ["NFC", "NFD"])
@pytest.mark.parametrize("imported", ["NFC", "NFD"])
async def test_a_name_in_another_unicode_form_is_the_same_source(operator, stored, imported):
    """Files of one system write an accent as a character of its own; earlier versions stored it so."""
    content = "name,url,priority\nCafé,https://cafe.test/,{}\n"
    service = SourceService(operator.store)
    first = read_import(content.format(4).encode()).candidates
    await operator.run(lambda db: import_sources(db, service, first))
    await operator.run(lambda db: db.execute(f"UPDATE source SET name = normalize(name, {stored})"))

    again = read_import(normalize(imported, content.format(8)).encode()).candidates
    [report] = await operator.run(lambda db: import_sources(db, service, again))

    assert report.end is RowResult.CHANGED
    [line], total = await operator.run(lambda db: SourceStore().page(db, SourceFilter()))
    assert (total, line.source.priority, line.source.name) == (1, 8, "Café")
    found = await operator.run(lambda db: SourceStore().find(db, normalize("NFD", "café")))
    assert found.source_id == line.source.source_id
