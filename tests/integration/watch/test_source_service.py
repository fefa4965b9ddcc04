"""Adding, changing, disabling and removing sources: what happens to their URLs, channels and history."""

from datetime import UTC, datetime

import pytest
from tests.support.make import Operator, completion, urls_of

from outrider.errors import Conflict, InvalidInput, NotFound
from outrider.frontier.model import EntryKind
from outrider.runs.metrics import waiting
from outrider.runs.store import RunStore
from outrider.sources.model import Mode
from outrider.sources.owners import owner_names
from outrider.sources.source_changes import SourceChanges, read_changes
from outrider.sources.store import SourceStore
from outrider.watch.source_service import SourceService

SITE, FEED, SITEMAP = "https://blatt.test/", "https://blatt.test/feed", "https://blatt.test/sitemap.xml"


@pytest.fixture
async def operator(database):
    operator = await Operator.enter(database)
    yield operator
    await operator.connection.close()


@pytest.fixture
def source_service(operator):
    return SourceService(operator.store)


def source_changes(**said) -> SourceChanges:
    return read_changes({"url": SITE, "name": "Das Blatt"} | said).checked()


async def add(operator, source_service, **said):
    return (await operator.run(lambda db: source_service.add(db, source_changes(**said)))).source


async def find(operator, named="Das Blatt"):
    return await operator.run(lambda db: SourceStore().find(db, named))


async def change(operator, source_service, **said):
    source = await find(operator)
    return await operator.run(lambda db: source_service.change(db, source, read_changes(said).checked()))


async def channels(operator, source):
    return await operator.run(lambda db: SourceStore().channels(db, source.source_id))


@pytest.mark.parametrize(
    ("mode", "queued"),
    [
        pytest.param(
            "feed", {FEED: EntryKind.FEED, SITEMAP: EntryKind.SITEMAP}, id="feed: what announces its pages"
        ),
        pytest.param(
            "both",
            {FEED: EntryKind.FEED, SITEMAP: EntryKind.SITEMAP, SITE: EntryKind.PAGE},
            id="both: the start page, too",
        ),
        pytest.param(
            "spider", {FEED: EntryKind.FEED, SITEMAP: EntryKind.SITEMAP, SITE: EntryKind.PAGE}, id="spider"
        ),
    ],
)
async def test_what_a_new_source_queues(operator, source_service, mode, queued):
    source = await add(operator, source_service, mode=mode, feed=FEED, sitemap=SITEMAP)

    [lease] = await operator.claim()
    assert {entry.url: entry.kind for entry in lease.entries} == queued
    assert {entry.source_id for entry in lease.entries} == {source.source_id}
    assert [line.url for line in await channels(operator, source)] == [FEED, SITEMAP]


async def test_a_feed_of_another_source_stays_there(operator, source_service):
    await add(operator, source_service, feed=FEED)

    settled = await operator.run(
        lambda db: source_service.add(
            db, source_changes(name="Copy", url="https://copy.test/", feed=[FEED, "https://copy.test/feed"])
        )
    )

    assert settled.notes == (f"{FEED} announces pages of 'Das Blatt' already, and stays there",)
    assert [line.url for line in await channels(operator, settled.source)] == ["https://copy.test/feed"]


async def test_a_change_says_what_changed_and_the_same_again_changes_nothing(operator, source_service):
    await add(operator, source_service)
    said = {"mode": "both", "delay": "10s", "labels": "a, b", "feed": FEED}

    assert (await change(operator, source_service, **said)).changed == ("mode", "labels", "delay", "channels")
    before = await find(operator)
    assert (await change(operator, source_service, **said)).changed == ()
    assert await find(operator) == before


async def test_a_source_that_wants_its_scripts_run_is_read_as_it_is_sent_and_that_is_said(
    operator, source_service
):
    """FET-22: there is no renderer."""
    flag = ("no renderer is configured: pages of 'Das Blatt' are read as the server sends them",)

    added = await operator.run(lambda db: source_service.add(db, source_changes(render_mode="dynamic")))
    same = await change(operator, source_service, render_mode="dynamic")
    back = await change(operator, source_service, render_mode="static")

    assert (added.notes, added.source.render_mode) == (flag, "dynamic")
    assert (same.changed, same.notes) == ((), ())
    assert (back.changed, back.notes) == (("render_mode",), ())


async def test_an_override_is_taken_back(operator, source_service):
    await add(operator, source_service, delay="10s", template="wordpress")

    await change(operator, source_service, delay="default", template="default")

    source = await find(operator)
    assert ("delay_s" in source.policy.stated, source.template) == (False, None)


async def test_a_change_of_mode_loses_nothing_that_is_queued(operator, source_service):
    source = await add(operator, source_service, mode="spider")
    await operator.queue("https://blatt.test/1", "https://blatt.test/2", source_id=source.source_id)

    await change(operator, source_service, mode="feed")

    assert (await find(operator)).mode is Mode.FEED
    assert set(urls_of(await operator.claim())) == {SITE, "https://blatt.test/1", "https://blatt.test/2"}


async def test_a_source_that_begins_to_walk_starts_at_its_front_page(operator, source_service):
    await add(operator, source_service, mode="feed")
    assert urls_of(await operator.claim()) == []

    await change(operator, source_service, mode="both")

    assert urls_of(await operator.claim()) == [SITE]


async def test_channels_begin_in_the_rhythm_their_source_asks_for(operator, source_service):
    source = await add(operator, source_service, poll="2m", feed=FEED, sitemap=SITEMAP)

    assert [line.interval_s for line in await channels(operator, source)] == [120, 6 * 3600]


@pytest.mark.parametrize(
    ("said", "interval_s", "next_in_s"),
    [
        pytest.param("2m", 120, 120, id="sooner: nobody waits for the end of the old wait"),
        pytest.param("7d", 7 * 86_400, 7200, id="later: what was promised stays"),
        pytest.param("default", 900, 900, id="as usual"),
    ],
)
async def test_another_rhythm_counts_from_now(operator, source_service, said, interval_s, next_in_s):
    source = await add(operator, source_service, poll="1h", feed=FEED)
    [lease] = await operator.claim()
    await operator.complete(completion(lease.entries[0], retry_in_s=7200))
    await operator.release(lease)

    await change(operator, source_service, poll=said)

    [line] = await channels(operator, source)
    assert line.interval_s == interval_s
    wait = line.next_poll_at - datetime.now(UTC)
    assert abs(wait.total_seconds() - next_in_s) < 60


async def test_the_host_of_a_channel_with_a_shorter_interval_is_woken(operator, source_service):
    await add(operator, source_service, poll="1h", feed=FEED)
    [lease] = await operator.claim()
    await operator.complete(completion(lease.entries[0], retry_in_s=7200))
    await operator.release(lease)

    await change(operator, source_service, poll="5m")

    due_in = (await operator.host("blatt.test"))["due_at"] - datetime.now(UTC)
    assert due_in.total_seconds() < 60


async def _disable(operator, source_service, reason="too loud"):
    source = await find(operator)
    return await operator.run(lambda db: source_service.disable(db, source, reason))


async def test_urls_of_a_disabled_source_are_not_claimed_until_it_is_enabled(operator, source_service):
    source = await add(operator, source_service, feed=FEED)
    await operator.queue("https://blatt.test/1", source_id=source.source_id)

    disabled = await _disable(operator, source_service)
    await operator.queue("https://blatt.test/2", source_id=source.source_id)  # a visit that was under way

    assert (disabled.enabled, disabled.disable_reason) == (False, "too loud")
    assert disabled.disabled_at is not None
    assert urls_of(await operator.claim()) == []

    await operator.set_host("blatt.test", lease_owner="NULL", due_at="now()")
    enabled = await operator.run(lambda db: source_service.enable(db, disabled))
    assert (enabled.enabled, enabled.disabled_at, enabled.disable_reason) == (True, None, None)
    assert set(urls_of(await operator.claim())) == {FEED, "https://blatt.test/1", "https://blatt.test/2"}


async def test_disabling_needs_a_reason_and_happens_once(operator, source_service):
    await add(operator, source_service)

    with pytest.raises(InvalidInput, match="say why"):
        await _disable(operator, source_service, "  ")
    await _disable(operator, source_service)
    with pytest.raises(Conflict, match="disabled already"):
        await _disable(operator, source_service)


async def test_a_source_that_a_crawl_suspended_is_resumed(operator, source_service):
    source = await add(operator, source_service, feed=FEED)
    await operator.run(lambda db: operator.store.hold_source(db, source.source_id))
    await add(operator, source_service, name="Other", url="https://other.test/")
    assert urls_of(await operator.claim()) == []
    await operator.set_host("blatt.test", lease_owner="NULL", due_at="now()")

    assert await operator.run(source_service.wake) == 1

    assert urls_of(await operator.claim()) == [FEED]
    assert await operator.run(source_service.wake) == 0


async def test_feeds_are_disabled_apart_from_their_source(operator, source_service):
    source = await add(operator, source_service, feed=FEED)
    await operator.run(
        lambda db: db.execute("UPDATE channel SET disabled_at = now(), disable_reason = 'gone', errors = 1")
    )

    disabled = await _disable(operator, source_service)
    await operator.run(lambda db: source_service.enable(db, disabled))

    [line] = await channels(operator, source)
    assert line.disable_reason == "gone"


async def _remove(operator, source_service):
    source = await find(operator)
    await operator.run(lambda db: source_service.remove(db, source))


async def test_a_removed_source_is_gone_and_its_history_is_not(operator, source_service):
    source = await add(operator, source_service, mode="both", feed=FEED)
    [lease] = await operator.claim()
    page = next(entry for entry in lease.entries if entry.url == SITE)
    await operator.complete(completion(page))
    await operator.release(lease)

    await _remove(operator, source_service)

    with pytest.raises(NotFound):
        await find(operator)
    assert urls_of(await operator.claim()) == []
    assert await operator.state(SITE) == "fetched"
    owner = (await operator.row(SITE))["source_id"]
    names = await operator.run(lambda db: owner_names(db, [owner]))
    assert names == {source.source_id: f"Das Blatt (removed, source {source.source_id})"}
    assert await operator.run(lambda db: SourceStore().source_for(db, SITE)) == 1
    assert (await operator.totals(source.source_id)).fetched == 1


async def test_a_run_does_not_wait_for_entries_of_a_removed_source(operator, source_service):
    source = await add(operator, source_service)
    run = await operator.run(lambda db: RunStore().open_for_command(db, 1))
    await operator.queue("https://blatt.test/1", source_id=source.source_id, run_id=run.run_id)

    await _remove(operator, source_service)

    counts = await operator.run(lambda db: operator.store.run_counts(db, [run.run_id]))
    assert waiting(counts[run.run_id]) == 0


async def test_a_site_that_is_added_again_goes_on_where_it_stopped(operator, source_service):
    first = await add(operator, source_service, feed=FEED, delay="10s")
    await operator.queue("https://blatt.test/1", source_id=first.source_id)
    await _remove(operator, source_service)

    again = await add(operator, source_service, name="Blatt", feed=FEED)

    assert again.source_id == first.source_id
    assert again.policy.delay_s == 10.0
    assert set(urls_of(await operator.claim())) == {FEED, "https://blatt.test/1"}
    assert [line.url for line in await channels(operator, again)] == [FEED]


async def test_the_feed_of_a_site_that_is_added_again_is_asked_at_once(operator, source_service):
    await add(operator, source_service, feed=FEED)
    [lease] = await operator.claim()
    await operator.complete(completion(lease.entries[0], retry_in_s=7200))
    await operator.release(lease)
    await _remove(operator, source_service)

    await add(operator, source_service, feed=FEED)

    assert urls_of(await operator.claim()) == [FEED]


async def test_another_source_of_the_same_site_gets_what_a_removed_one_left_queued(operator, source_service):
    first = await add(operator, source_service)
    await operator.queue("https://blatt.test/1", source_id=first.source_id)
    await _remove(operator, source_service)

    successor = await add(operator, source_service, name="Sport", url="https://blatt.test/sport")
    await operator.queue("https://blatt.test/1", source_id=successor.source_id)

    assert urls_of(await operator.claim()) == ["https://blatt.test/1"]
