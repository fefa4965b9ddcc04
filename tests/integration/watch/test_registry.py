"""Adding, changing, disabling and removing sources: what happens to their URLs, channels and history."""

from datetime import UTC, datetime

import pytest
from tests.support.make import Clerk, completion, urls_of

from outrider.errors import Conflict, InvalidInput, NotFound
from outrider.frontier.model import Kind
from outrider.sources.model import Mode
from outrider.sources.owners import mark_held
from outrider.sources.store import WatchedStore
from outrider.sources.wishes import Wishes, read_wishes
from outrider.watch.registry import Registry

SITE, FEED, SITEMAP = "https://blatt.test/", "https://blatt.test/feed", "https://blatt.test/sitemap.xml"


@pytest.fixture
async def clerk(database):
    clerk = await Clerk.enter(database)
    yield clerk
    await clerk.line.close()


@pytest.fixture
def registry(clerk):
    return Registry(clerk.store)


def wished(**said) -> Wishes:
    return read_wishes({"url": SITE, "name": "Das Blatt"} | said).checked()


async def add(clerk, registry, **said):
    return (await clerk.run(lambda db: registry.add(db, wished(**said)))).source


async def find(clerk, named="Das Blatt"):
    return await clerk.run(lambda db: WatchedStore().find(db, named))


async def change(clerk, registry, **said):
    source = await find(clerk)
    return await clerk.run(lambda db: registry.change(db, source, read_wishes(said).checked()))


async def channels(clerk, source):
    return await clerk.run(lambda db: WatchedStore().channels(db, source.source_id))


@pytest.mark.parametrize(
    ("mode", "queued"),
    [
        pytest.param("feed", {FEED: Kind.FEED, SITEMAP: Kind.SITEMAP}, id="feed: what announces its pages"),
        pytest.param(
            "both", {FEED: Kind.FEED, SITEMAP: Kind.SITEMAP, SITE: Kind.PAGE}, id="both: the start page, too"
        ),
        pytest.param("spider", {FEED: Kind.FEED, SITEMAP: Kind.SITEMAP, SITE: Kind.PAGE}, id="spider"),
    ],
)
async def test_what_a_new_source_queues(clerk, registry, mode, queued):
    source = await add(clerk, registry, mode=mode, feed=FEED, sitemap=SITEMAP)

    [lease] = await clerk.claim()
    assert {entry.url: entry.kind for entry in lease.entries} == queued
    assert {entry.source_id for entry in lease.entries} == {source.source_id}
    assert [line.url for line in await channels(clerk, source)] == [FEED, SITEMAP]


async def test_a_feed_of_another_source_stays_there(clerk, registry):
    await add(clerk, registry, feed=FEED)

    settled = await clerk.run(
        lambda db: registry.add(
            db, wished(name="Copy", url="https://copy.test/", feed=[FEED, "https://copy.test/feed"])
        )
    )

    assert settled.notes == (f"{FEED} announces pages of 'Das Blatt' already, and stays there",)
    assert [line.url for line in await channels(clerk, settled.source)] == ["https://copy.test/feed"]


async def test_a_change_says_what_changed_and_the_same_again_changes_nothing(clerk, registry):
    await add(clerk, registry)
    said = {"mode": "both", "delay": "10s", "labels": "a, b", "feed": FEED}

    assert (await change(clerk, registry, **said)).changed == ("mode", "labels", "delay", "channels")
    before = await find(clerk)
    assert (await change(clerk, registry, **said)).changed == ()
    assert await find(clerk) == before


async def test_a_source_that_wants_its_scripts_run_is_read_as_it_is_sent_and_that_is_said(clerk, registry):
    """FET-22: there is no renderer."""
    flag = ("no renderer is configured: pages of 'Das Blatt' are read as the server sends them",)

    added = await clerk.run(lambda db: registry.add(db, wished(render_mode="dynamic")))
    same = await change(clerk, registry, render_mode="dynamic")
    back = await change(clerk, registry, render_mode="static")

    assert (added.notes, added.source.render_mode) == (flag, "dynamic")
    assert (same.changed, same.notes) == ((), ())
    assert (back.changed, back.notes) == (("render_mode",), ())


async def test_an_override_is_taken_back(clerk, registry):
    await add(clerk, registry, delay="10s", template="wordpress")

    await change(clerk, registry, delay="default", template="default")

    source = await find(clerk)
    assert ("delay_s" in source.policy.stated, source.template) == (False, None)


async def test_a_change_of_mode_loses_nothing_that_is_queued(clerk, registry):
    source = await add(clerk, registry, mode="spider")
    await clerk.queue("https://blatt.test/1", "https://blatt.test/2", source_id=source.source_id)

    await change(clerk, registry, mode="feed")

    assert (await find(clerk)).mode is Mode.FEED
    assert set(urls_of(await clerk.claim())) == {SITE, "https://blatt.test/1", "https://blatt.test/2"}


async def test_a_source_that_begins_to_walk_starts_at_its_front_page(clerk, registry):
    await add(clerk, registry, mode="feed")
    assert urls_of(await clerk.claim()) == []

    await change(clerk, registry, mode="both")

    assert urls_of(await clerk.claim()) == [SITE]


async def test_channels_begin_in_the_rhythm_their_source_asks_for(clerk, registry):
    source = await add(clerk, registry, poll="2m", feed=FEED, sitemap=SITEMAP)

    assert [line.interval_s for line in await channels(clerk, source)] == [120, 6 * 3600]


@pytest.mark.parametrize(
    ("said", "interval_s", "next_in_s"),
    [
        pytest.param("2m", 120, 120, id="sooner: nobody waits for the end of the old wait"),
        pytest.param("7d", 7 * 86_400, 7200, id="later: what was promised stays"),
        pytest.param("default", 900, 900, id="as usual"),
    ],
)
async def test_another_rhythm_counts_from_now(clerk, registry, said, interval_s, next_in_s):
    source = await add(clerk, registry, poll="1h", feed=FEED)
    [lease] = await clerk.claim()
    await clerk.complete(completion(lease.entries[0], retry_in_s=7200))
    await clerk.release(lease)

    await change(clerk, registry, poll=said)

    [line] = await channels(clerk, source)
    assert line.interval_s == interval_s
    wait = line.next_poll_at - datetime.now(UTC)
    assert abs(wait.total_seconds() - next_in_s) < 60


async def _disable(clerk, registry, reason="too loud"):
    source = await find(clerk)
    return await clerk.run(lambda db: registry.disable(db, source, reason))


async def test_nothing_of_a_disabled_source_is_claimed_and_all_of_it_comes_back(clerk, registry):
    source = await add(clerk, registry, feed=FEED)
    await clerk.queue("https://blatt.test/1", source_id=source.source_id)

    disabled = await _disable(clerk, registry)
    await clerk.queue("https://blatt.test/2", source_id=source.source_id)  # a visit that was under way

    assert (disabled.enabled, disabled.disable_reason) == (False, "too loud")
    assert disabled.disabled_at is not None
    assert urls_of(await clerk.claim()) == []

    await clerk.set_host("blatt.test", lease_owner="NULL", due_at="now()")
    enabled = await clerk.run(lambda db: registry.enable(db, disabled))
    assert (enabled.enabled, enabled.disabled_at, enabled.disable_reason) == (True, None, None)
    assert set(urls_of(await clerk.claim())) == {FEED, "https://blatt.test/1", "https://blatt.test/2"}


async def test_disabling_needs_a_reason_and_happens_once(clerk, registry):
    await add(clerk, registry)

    with pytest.raises(InvalidInput, match="say why"):
        await _disable(clerk, registry, "  ")
    await _disable(clerk, registry)
    with pytest.raises(Conflict, match="disabled already"):
        await _disable(clerk, registry)


async def test_a_source_that_a_crawl_put_aside_is_taken_up_again(clerk, registry):
    source = await add(clerk, registry, feed=FEED)
    await clerk.run(lambda db: clerk.store.hold_source(db, source.source_id))
    await clerk.run(lambda db: mark_held(db, source.source_id, held=True))
    await add(clerk, registry, name="Other", url="https://other.test/")
    assert urls_of(await clerk.claim()) == []
    await clerk.set_host("blatt.test", lease_owner="NULL", due_at="now()")

    assert await clerk.run(registry.wake) == 1

    assert urls_of(await clerk.claim()) == [FEED]
    assert await clerk.run(registry.wake) == 0


async def test_feeds_are_disabled_apart_from_their_source(clerk, registry):
    source = await add(clerk, registry, feed=FEED)
    await clerk.run(
        lambda db: db.execute("UPDATE channel SET disabled_at = now(), disable_reason = 'gone', errors = 1")
    )

    disabled = await _disable(clerk, registry)
    await clerk.run(lambda db: registry.enable(db, disabled))

    [line] = await channels(clerk, source)
    assert line.disable_reason == "gone"


async def _remove(clerk, registry):
    source = await find(clerk)
    await clerk.run(lambda db: registry.remove(db, source))


async def test_a_removed_source_is_gone_and_its_history_is_not(clerk, registry):
    source = await add(clerk, registry, mode="both", feed=FEED)
    [lease] = await clerk.claim()
    page = next(entry for entry in lease.entries if entry.url == SITE)
    await clerk.complete(completion(page))
    await clerk.release(lease)

    await _remove(clerk, registry)

    with pytest.raises(NotFound):
        await find(clerk)
    assert urls_of(await clerk.claim()) == []
    assert await clerk.state(SITE) == "fetched"
    assert (await clerk.row(SITE))["source"] == f"Das Blatt (removed, source {source.source_id})"
    assert await clerk.run(lambda db: WatchedStore().source_for(db, SITE)) == 1
    assert (await clerk.totals(source.source_id)).fetched == 1


async def test_a_site_that_is_added_again_goes_on_where_it_stopped(clerk, registry):
    first = await add(clerk, registry, feed=FEED, delay="10s")
    await clerk.queue("https://blatt.test/1", source_id=first.source_id)
    await _remove(clerk, registry)

    again = await add(clerk, registry, name="Blatt", feed=FEED)

    assert again.source_id == first.source_id
    assert again.policy.delay_s == 10.0
    assert set(urls_of(await clerk.claim())) == {FEED, "https://blatt.test/1"}
    assert [line.url for line in await channels(clerk, again)] == [FEED]


async def test_the_feed_of_a_site_that_is_added_again_is_asked_at_once(clerk, registry):
    await add(clerk, registry, feed=FEED)
    [lease] = await clerk.claim()
    await clerk.complete(completion(lease.entries[0], retry_in_s=7200))
    await clerk.release(lease)
    await _remove(clerk, registry)

    await add(clerk, registry, feed=FEED)

    assert urls_of(await clerk.claim()) == [FEED]


async def test_another_source_of_the_same_site_gets_what_a_removed_one_left_queued(clerk, registry):
    first = await add(clerk, registry)
    await clerk.queue("https://blatt.test/1", source_id=first.source_id)
    await _remove(clerk, registry)

    heir = await add(clerk, registry, name="Sport", url="https://blatt.test/sport")
    await clerk.queue("https://blatt.test/1", source_id=heir.source_id)

    assert urls_of(await clerk.claim()) == ["https://blatt.test/1"]
