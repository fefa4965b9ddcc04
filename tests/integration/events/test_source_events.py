"""Whatever changes a source leaves an event in the same transaction, and nothing else does."""

import pytest

from outrider.errors import Conflict
from outrider.sources.importer import ImportCandidate
from outrider.sources.searches import follow_links_instead
from outrider.sources.source_changes import read_changes
from outrider.sources.store import SourceStore
from outrider.urls import key_of
from outrider.watch.bulk import import_sources
from outrider.watch.discovery.outside_links import DiscoveredStore, OutsideLink, promote

SITE = "https://blatt.test/"


def source_changes(**said):
    return read_changes({"url": SITE, "name": "Das Blatt"} | said).checked()


async def events(operator):
    """All so far, oldest first, and forgotten."""
    rows = await operator.run(
        lambda db: db.fetch(
            "WITH gone AS (DELETE FROM source_event RETURNING *) SELECT * FROM gone ORDER BY number"
        )
    )
    return [dict(row) for row in rows]


async def types(operator):
    return [row["event_type"] for row in await events(operator)]


@pytest.fixture
async def source(operator, source_service):
    settled = await operator.run(lambda db: source_service.add(db, source_changes()))
    await events(operator)
    return settled.source


async def test_a_new_source_is_an_event_that_says_what_it_is(operator, source_service):
    settled = await operator.run(
        lambda db: source_service.add(db, source_changes(mode="both", labels="a, b"))
    )

    [row] = await events(operator)
    assert row["event_type"] == "SOURCE_CREATED"
    assert (row["source_id"], row["public_id"]) == (settled.source.source_id, settled.source.public_id)
    assert row["payload"]["source"]["name"] == "Das Blatt"
    assert row["payload"]["source"]["mode"] == "both"
    assert row["payload"]["source"]["labels"] == ["a", "b"]


async def test_an_edit_says_what_changed_and_what_it_was(operator, source_service, source):
    await operator.run(
        lambda db: source_service.change(db, source, read_changes({"mode": "both", "delay": "9s"}).checked())
    )

    [row] = await events(operator)
    assert row["event_type"] == "SOURCE_UPDATED"
    assert row["payload"]["changed"] == ["mode", "policy"]
    assert row["payload"]["was"]["mode"] == "feed"
    assert row["payload"]["source"]["policy"]["delay_s"] == 9.0


async def test_an_edit_that_changes_nothing_is_no_event(operator, source_service, source):
    await operator.run(lambda db: source_service.change(db, source, source_changes()))

    assert await types(operator) == []


async def test_disabling_enabling_removing_and_adding_again(operator, source_service, source):
    disabled = await operator.run(lambda db: source_service.disable(db, source, "sold"))
    assert await types(operator) == ["SOURCE_DISABLED"]
    await operator.run(lambda db: source_service.enable(db, disabled))
    assert await types(operator) == ["SOURCE_ENABLED"]
    await operator.run(lambda db: source_service.remove(db, source))
    [removed] = await events(operator)
    assert removed["event_type"] == "SOURCE_DELETED"
    assert removed["payload"]["was"]["name"] == "Das Blatt"
    await operator.run(lambda db: source_service.add(db, source_changes()))
    assert await types(operator) == ["SOURCE_CREATED", "SOURCE_ENABLED"]


async def test_an_import_leaves_an_event_for_each_row_that_made_a_difference(
    operator, source_service, source
):
    rows = [
        ImportCandidate("row 1", source_changes(mode="spider")),
        ImportCandidate("row 2", source_changes(name="New", url="https://new.test/")),
        ImportCandidate("row 3", source_changes(name="New", url="https://new.test/")),
        ImportCandidate("row 4", source_changes(name="x"), problems=("it is no good",)),
    ]

    await operator.run(lambda db: import_sources(db, source_service, rows))

    assert await types(operator) == ["SOURCE_UPDATED", "SOURCE_CREATED"]


async def test_a_promoted_domain_is_a_new_source(operator, source_service, source):
    link = OutsideLink(key_of("https://found.test/a"), "https://found.test/a", 5)
    await operator.run(lambda db: DiscoveredStore().record(db, source.source_id, SITE, 1, [link]))

    await operator.run(lambda db: promote(db, source_service, "found.test", {}))

    assert await types(operator) == ["SOURCE_CREATED"]


async def test_what_the_crawler_changes_by_itself_is_an_event_as_well(operator, source_service, source):
    """FED-24: a source without a feed is walked from now on."""
    await operator.run(lambda db: follow_links_instead(db, source.source_id))

    [row] = await events(operator)
    assert (row["event_type"], row["payload"]["was"]) == ("SOURCE_UPDATED", {"mode": "feed"})


async def test_what_the_crawler_notes_beside_a_source_is_none(operator, source_service, source):
    await operator.run(lambda db: SourceStore().mark_searched(db, source.source_id))
    await operator.run(lambda db: operator.store.hold_source(db, source.source_id))
    await operator.run(lambda db: db.execute("UPDATE source SET owed = 7, reserved = 3"))
    await operator.new_source("a crawl, which nobody watches")

    assert await types(operator) == []


async def test_a_change_that_was_undone_left_no_event(operator, source_service, source):
    async def disable_and_fail(db):
        await source_service.disable(db, source, "sold")
        raise Conflict("no, after all")

    with pytest.raises(Conflict):
        await operator.run(disable_and_fail)

    assert await types(operator) == []


async def test_an_event_stays_small_however_much_a_source_says(operator, source_service, source):
    patterns = "\n".join(f"/{'x' * 150}{number}/*" for number in range(100))
    await operator.run(
        lambda db: source_service.change(db, source, read_changes({"include": patterns}).checked())
    )

    [row] = await events(operator)
    assert row["payload"]["changed"] == ["policy"]
    assert "policy" not in row["payload"]["source"]
    assert len(str(row["payload"])) < 5_000


async def test_a_change_of_a_source_stands_in_the_event_log_too(operator, source_service):
    changes = read_changes({"url": "https://blatt.test/", "name": "blatt"}).checked()
    source = (await operator.run(lambda db: source_service.add(db, changes))).source
    await operator.run(lambda db: source_service.disable(db, source, "sold"))

    rows = await operator.run(
        lambda db: db.fetch(
            "SELECT l.kind, l.subject_id, l.at = e.at AND l.payload = e.payload AS is_same FROM event_log l "
            "JOIN source_event e ON lower(e.event_type) = replace(l.kind, '.', '_') ORDER BY l.id"
        )
    )

    public_id = str(source.public_id)
    assert [tuple(row) for row in rows] == [
        ("source.created", public_id, True),
        ("source.disabled", public_id, True),
    ]
