"""Use cases that add, change, list, import and export sources."""

import pytest

from outrider.crawl.politeness.fetch_result import FetchEnding, FetchResult
from outrider.errors import Conflict, NotFound, Unavailable
from outrider.frontier.options import FrontierOptions
from outrider.services.as_json import as_json, list_as_json
from outrider.services.paging import PageRequest
from outrider.services.sources.add import add_source, check_unwatched
from outrider.services.sources.edit import ChannelEdits, edit_channels, edit_source
from outrider.services.sources.files import export_sources, fetch_list, forecast_import, import_file
from outrider.services.sources.lists import list_sources, show_source
from outrider.services.sources.trial import save_selectors, source_of_page
from outrider.sources.exporter import ExportFormat
from outrider.sources.importer import read_import
from outrider.sources.model import SourceFilter
from outrider.sources.source_changes import read_changes

OPTIONS = FrontierOptions()
FEED = "https://blatt.test/feed"


def _changes(**fields):
    return read_changes(fields).checked()


BLATT = _changes(url="https://blatt.test/", name="blatt", feed=FEED)


@pytest.fixture
async def blatt(operator):
    return await operator.run(lambda db: add_source(db, BLATT, None, OPTIONS))


async def test_an_added_source_is_listed_as_it_is_shown(operator, blatt):
    listed = await operator.run(lambda db: list_sources(db, SourceFilter(), PageRequest()))
    shown = as_json(await operator.run(lambda db: show_source(db, "blatt")))

    assert (as_json(blatt)["added"], as_json(blatt)["feeds"]) == (True, [FEED])
    [line] = list_as_json(listed, "sources")["sources"]
    assert line == {name: value for name, value in shown.items() if name in line}
    assert [channel["url"] for channel in shown["channels"]] == [FEED]
    assert set(shown) - set(line) == {"channels", "ladder", "job"}


async def test_a_site_is_added_twice_only_by_force(operator, blatt):
    again = _changes(url="https://blatt.test/", name="twin")

    with pytest.raises(Conflict, match="watched already, as 'blatt'"):
        await operator.run(lambda db: check_unwatched(db, again))
    with pytest.raises(Conflict, match="watched already, as 'blatt'"):
        await operator.run(lambda db: add_source(db, again, None, OPTIONS))
    twin = await operator.run(lambda db: add_source(db, again, None, OPTIONS, force=True))
    assert twin.name == "twin"


async def test_a_dry_run_writes_nothing(operator, blatt):
    new = _changes(url="https://neu.test/", name="neu")

    added = await operator.run(lambda db: add_source(db, new, None, OPTIONS, dry_run=True))
    edited = await operator.run(
        lambda db: edit_source(db, "blatt", _changes(priority="9"), OPTIONS, dry_run=True)
    )

    assert (as_json(added)["added"], as_json(added)["source_id"]) == (False, None)
    assert as_json(edited) == {"name": "blatt", "changed": ["priority"], "notes": [], "dry_run": True}
    with pytest.raises(NotFound):
        await operator.run(lambda db: show_source(db, "neu"))
    assert (await operator.run(lambda db: show_source(db, "blatt"))).line.source.priority != 9


async def test_channels_are_changed_all_or_none(operator, blatt):
    sitemap = "https://blatt.test/map.xml"
    broken = ChannelEdits(_changes(sitemap=sitemap), disabled=(FEED,), dropped=("404",), reason="moved")
    whole = ChannelEdits(_changes(sitemap=sitemap), disabled=(FEED,), reason="moved")

    with pytest.raises(NotFound, match="has no channel '404'"):
        await operator.run(lambda db: edit_channels(db, "blatt", broken, OPTIONS))
    before = (await operator.run(lambda db: show_source(db, "blatt"))).channels.channels
    after = (await operator.run(lambda db: edit_channels(db, "blatt", whole, OPTIONS))).channels

    assert [(each.url, each.disabled_at) for each in before] == [(FEED, None)]
    assert {each.url: each.disabled_at is None for each in after} == {FEED: False, sitemap: True}


async def test_an_export_is_imported_without_a_change(operator, blatt):
    text = await operator.run(lambda db: export_sources(db, ExportFormat.CSV))
    file = read_import(text.encode())

    report = as_json(await operator.run(lambda db: import_file(db, file, OPTIONS)))

    assert [report[end] for end in ("added", "changed", "unchanged", "refused")] == [0, 0, 1, 0]
    assert as_json(forecast_import(file))["added"] == 1


async def test_an_import_in_a_dry_run_writes_nothing(operator):
    file = read_import(b"name,url\nneu,https://neu.test/\nbad,nonsense\n")

    report = await operator.run(lambda db: import_file(db, file, OPTIONS, dry_run=True))

    assert (as_json(report)["added"], as_json(report)["refused"]) == (1, 1)
    with pytest.raises(NotFound):
        await operator.run(lambda db: show_source(db, "neu"))


async def test_a_list_that_cannot_be_fetched_changes_nothing():
    async def fetch_one(url):
        return FetchResult(FetchEnding.FAILED, url, 0, "timeout", "no answer")

    with pytest.raises(Unavailable, match="could not be read: no answer; the sources stay as they are"):
        await fetch_list(fetch_one, "https://lists.test/sources.csv")


async def test_saved_selectors_belong_to_the_source_of_the_page(operator, blatt):
    selectors = {"article": {"title": "h1"}}
    source = await operator.run(lambda db: source_of_page(db, "https://blatt.test/2026/a"))

    await operator.run(lambda db: save_selectors(db, source, selectors, OPTIONS))

    assert (await operator.run(lambda db: show_source(db, "blatt"))).line.source.selectors == selectors
    assert await operator.run(lambda db: source_of_page(db, "https://elsewhere.test/")) is None
