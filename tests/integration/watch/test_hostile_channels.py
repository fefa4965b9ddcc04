"""Channels that mean harm: bounded, named, and said once."""

import gzip

import pytest
from structlog.testing import capture_logs
from tests.support.newsroom import Answer, Engine, Newsroom, feed, sitemap_at
from tests.support.publications import page, rss

BOMB = gzip.compress(b"<rss>" + b" " * (100 << 20), compresslevel=1)
LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE r ['
    + b'<!ENTITY a0 "ha">'
    + b"".join(b'<!ENTITY a%d "%s">' % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 12))
    + b"]><rss><channel><title>&a11;</title></channel></rss>"
)


@pytest.mark.parametrize("kind", ["feed", "sitemap"])
async def test_a_body_that_unpacks_without_end_is_cut_off_and_said_once(
    engine: Engine, room: Newsroom, kind: str
):
    url = room.publish("/bomb", Answer(body=BOMB, headers={"Content-Encoding": "gzip"}))
    await engine.watch("bomb", room.origin(), feed(url) if kind == "feed" else sitemap_at(url))

    with capture_logs() as lines:
        await engine.round()

    channel = await engine.channel(url)
    assert (channel["error_type"], channel["errors"]) == ("parse_error", 1)
    assert "larger than" in channel["last_error"]
    assert [line["event"] for line in lines if line["log_level"] != "debug"] == ["poll failed"]


async def test_entities_are_not_unfolded(engine: Engine, room: Newsroom):
    url = room.publish("/laughs", Answer(body=LAUGHS, headers={"Content-Type": "application/rss+xml"}))
    await engine.watch("laughs", room.origin(), feed(url))

    await engine.round()

    channel = await engine.channel(url)
    assert channel["polls"] == 1
    assert len(channel["title"] or "") < 2_000


async def test_a_feed_of_a_hundred_thousand_entries_queues_a_few_hundred(engine: Engine, room: Newsroom):
    room.publish("/robots.txt", Answer(body=b"User-agent: *\nDisallow: /item"))
    url = room.publish("/feed", rss([(f"/item/{n}", None) for n in range(100_000)]))
    await engine.watch("flood", room.origin(), feed(url))

    await engine.round()

    [row] = await engine.rows("SELECT count(*) AS pages FROM url WHERE kind = 0")
    assert row["pages"] == 500
    assert (await engine.channel(url))["errors"] == 0


async def test_a_title_of_megabytes_and_control_characters_are_tamed(engine: Engine, room: Newsroom):
    body = rss([("/a", None)]).body.replace(b"News", b"N\x00e\x01ws" * 1_000_000)
    url = room.publish("/feed", Answer(body=body, headers={"Content-Type": "text/xml"}))
    await engine.watch("loud", room.origin(), feed(url))

    await engine.round()

    channel = await engine.channel(url)
    assert channel["errors"] == 0
    assert len(channel["title"]) <= 1_000
    assert channel["title"].isprintable()


async def test_an_entry_that_points_inside_is_dead_and_never_asked_for(engine: Engine, room: Newsroom):
    room.publish("/a", page("a"))
    url = room.publish("/feed", rss([("http://169.254.169.254/latest/meta-data/", None), ("/a", None)]))
    await engine.watch("hostile", room.origin(), feed(url))

    await engine.round()

    rows = await engine.rows("SELECT url, reason, fetches FROM url WHERE kind = 0")
    assert {tuple(row) for row in rows} == {
        (f"{room.origin()}/a", None, 1),
        ("http://169.254.169.254/latest/meta-data", "blocked_address", 0),
    }
