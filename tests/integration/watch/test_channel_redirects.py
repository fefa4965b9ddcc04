"""Redirects of channels: a permanent one moves the stored address if a channel is there, no other does."""

from datetime import timedelta

from tests.support.newsroom import Answer, Engine, Newsroom, feed
from tests.support.publications import moved, page, rss

from outrider.robots.store import RobotsStore
from outrider.urls import host_id_of, host_of


async def test_a_permanent_redirect_moves_the_channel(engine: Engine, room: Newsroom):
    """FED-21."""
    old = room.publish("/old", moved("/new"))
    new = room.publish("/new", rss([("/a", None)]))
    await engine.watch("news", room.origin(), feed(old))

    await engine.round()
    await engine.skip(timedelta(hours=1))
    await engine.round()

    assert await engine.channel(old) is None
    assert (await engine.channel(new))["items"] == 1
    [entry] = await engine.rows("SELECT status, redirects_to FROM url_frontier WHERE url = $1", old)
    assert (entry["status"], entry["redirects_to"]) == ("alias", new)
    assert len(room.asked("/old")) == 1


async def test_it_moves_to_another_host(engine: Engine, room: Newsroom):
    new = room.publish("/feed", rss([("/a", None)]), site=1)
    old = room.publish("/feed", moved(new, 308))
    await engine.watch("news", room.origin(), feed(old))

    await engine.round()
    await engine.skip(timedelta(hours=1))
    await engine.round()

    channel = await engine.channel(new)
    assert channel["polls"] >= 2
    assert 0 < channel["next_in_s"] <= 900
    assert len(room.asked("/feed", site=0)) == 1


async def test_a_temporary_redirect_is_followed_and_forgotten(engine: Engine, room: Newsroom):
    here = room.publish("/feed", moved(room.publish("/today", rss([("/a", None)]), site=1), 302))
    await engine.watch("news", room.origin(), feed(here))

    await engine.round()
    await engine.skip(timedelta(hours=1))
    await engine.round()

    assert (await engine.channel(here))["items"] == 1
    assert len(room.asked("/feed", site=0)) == len(room.asked("/today", site=1)) == 2


async def test_a_feed_that_leads_to_the_start_page_keeps_its_address(engine: Engine, room: Newsroom):
    url = room.publish("/feed", moved("/"))
    room.publish("/", page("Welcome"))
    await engine.watch("news", room.origin(), feed(url))

    await engine.round()

    channel = await engine.channel(url)
    assert (channel["errors"], channel["error_type"]) == (1, "parse_error")


async def test_a_loop_ends(engine: Engine, room: Newsroom):
    url = room.publish("/a", moved("/b"))
    room.publish("/b", moved("/a", 302))
    await engine.watch("news", room.origin(), feed(url))

    await engine.round()

    assert (await engine.channel(url))["error_type"] == "upstream_failure"
    assert len(room.asked()) == 2


async def test_a_hop_that_robots_txt_forbids_is_not_made(engine: Engine, room: Newsroom):
    room.publish("/robots.txt", Answer(body=b"User-agent: *\nDisallow: /private"), site=1)
    url = room.publish("/feed", moved(room.publish("/private", rss([("/a", None)]), site=1), 302))
    await engine.watch("news", room.origin(), feed(url))

    await engine.round()

    assert room.asked("/private") == []
    assert (await engine.channel(url))["error_type"] == "forbidden"


async def test_two_feeds_that_meet_become_one(engine: Engine, room: Newsroom):
    new = room.publish("/new", rss([("/a", None)]))
    old = room.publish("/old", moved("/new"))
    await engine.watch("news", room.origin(), feed(new), feed(old))

    await engine.round()

    assert [row["url"] for row in await engine.rows("SELECT url FROM channel")] == [new]


async def test_a_hop_to_a_host_that_a_worker_holds_waits_for_it(engine: Engine, room: Newsroom):
    """CLM-13: the other host is asked only under its own lease."""
    here = room.publish("/feed", moved(room.publish("/today", rss([("/a", None)]), site=1), 302))
    await engine.watch("news", room.origin(), feed(here))
    await engine.run(lambda db: engine.context.frontier.lease_host(db, host_of(room.origin(1))))

    await engine.round()

    assert len(room.asked("/feed", site=0)) == 1
    assert room.asked("/today", site=1) == []
    assert (await engine.channel(here))["reason"] == "host_busy"


async def test_a_hop_keeps_the_rhythm_of_the_host_it_leads_to(engine: Engine, room: Newsroom):
    """CLM-13: its robots.txt was asked for a moment ago, and a minute has to pass."""
    here = room.publish("/feed", moved(room.publish("/today", rss([("/a", None)]), site=1), 302))
    await engine.watch("news", room.origin(), feed(here))
    host_id = host_id_of(host_of(room.origin(1)))
    await engine.run(
        lambda db: db.execute("INSERT INTO host (host_id, delay_ms) VALUES ($1, 60000)", host_id)
    )

    await engine.poll(here)

    assert len(room.asked("/robots.txt", site=1)) == 1
    assert room.asked("/today", site=1) == []
    assert (await engine.channel(here))["reason"] == "host_busy"


async def test_a_host_that_a_hop_led_to_rests_for_its_delay(engine: Engine, room: Newsroom):
    """CLM-13: whoever asks it next waits as after any request."""
    here = room.publish("/feed", moved(room.publish("/today", rss([("/a", None)]), site=1), 302))
    await engine.watch("news", room.origin(), feed(here))
    host_id = host_id_of(host_of(room.origin(1)))
    await engine.run(
        lambda db: RobotsStore().remember(
            db, host_id=host_id, origin=room.origin(1), status=404, body=b"", life_s=3600
        )
    )
    await engine.run(
        lambda db: db.execute("INSERT INTO host (host_id, delay_ms) VALUES ($1, 60000)", host_id)
    )

    await engine.poll(here)

    [host] = await engine.rows(
        "SELECT lease_owner, extract(epoch FROM next_allowed_at - now())::float8 AS rests_s "
        "FROM host WHERE host_id = $1",
        host_id,
    )
    assert room.asked("/today", site=1)
    assert host["lease_owner"] is None
    assert 30 < host["rests_s"] <= 60


async def test_the_hops_of_a_feed_are_reported_each_from_its_own_address(engine: Engine, room: Newsroom):
    """RDC-15."""
    third = room.publish("/feed", rss([("/a", None)]), site=2)
    second = room.publish("/feed", moved(third, 302), site=1)
    first = room.publish("/feed", moved(second, 307))
    await engine.watch("news", room.origin(), feed(first))

    for _ in range(2):
        await engine.round()
        await engine.skip(timedelta(hours=1), history=False)

    hops = await engine.rows(
        "SELECT from_url, to_url, status, times, entry_url, kind, source FROM redirect_hops ORDER BY from_url"
    )
    assert [tuple(hop) for hop in hops] == [
        (first, second, 307, 2, first, "feed", "news"),
        (second, third, 302, 2, first, "feed", "news"),
    ]
