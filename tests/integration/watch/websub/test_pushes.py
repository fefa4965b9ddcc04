"""What arrives at the address that hubs call, from hubs and from others."""

from datetime import timedelta

import aiohttp
from tests.support.hub import Hub
from tests.support.newsroom import Engine, Newsroom
from tests.support.publications import rss

from outrider.watch.discovery_stats import discovery_stats


async def test_a_signed_push_is_queued_at_once(engine: Engine, room: Newsroom, subscribed: tuple[Hub, str]):
    hub, _ = subscribed

    status = await hub.push(rss([(f"{room.origin()}/pushed", None)]).body)

    assert status == 202
    [row] = await engine.rows("SELECT origin, priority FROM url_frontier WHERE url LIKE '%/pushed'")
    assert tuple(row) == ("feed", 7)
    [source] = await engine.rows("SELECT source_id FROM channel")
    ways = {
        stats.way: stats.seen
        for stats in await engine.run(lambda db: discovery_stats(db, source["source_id"]))
    }
    assert ways == {"websub": 1, "feed": 1}


async def test_a_push_with_a_wrong_signature_is_dropped(
    engine: Engine, room: Newsroom, subscribed: tuple[Hub, str]
):
    hub, _ = subscribed

    status = await hub.push(rss([(f"{room.origin()}/forged", None)]).body, secret="guessed")

    assert status == 202, "whoever guesses learns nothing"
    assert await engine.rows("SELECT FROM url WHERE url LIKE '%/forged'") == []


async def test_a_push_without_content_is_a_reason_to_poll(engine: Engine, subscribed: tuple[Hub, str]):
    hub, url = subscribed
    before = (await engine.channel(url))["next_in_s"]

    await hub.push(b"something happened", kind="text/plain")

    assert before > 60
    assert (await engine.channel(url))["next_in_s"] <= 0
    await engine.skip(timedelta(seconds=2))
    await engine.round()
    assert (await engine.channel(url))["polls"] == 2


async def test_a_proxy_may_cut_off_the_path_of_the_public_address(
    engine: Engine, callback: str, subscribed: tuple[Hub, str]
):
    hub, _ = subscribed
    hub.forms[-1]["hub.callback"] = hub.forms[-1]["hub.callback"].replace("/hooks/", "/")

    assert await hub.verify() == 200
    assert hub.verified == [True]


async def test_a_callback_address_with_a_wrong_token_is_not_found(callback: str, subscribed: tuple[Hub, str]):
    hub, _ = subscribed
    right = hub.forms[-1]["hub.callback"]
    wrong = [right[:-1] + ("0" if right[-1] != "0" else "1"), right.replace("/1/", "/22/"), f"{callback}/"]

    async with aiohttp.ClientSession() as session:
        answers = [(await session.post(url, data=b"x")).status for url in wrong]

    assert answers == [404, 404, 404]
