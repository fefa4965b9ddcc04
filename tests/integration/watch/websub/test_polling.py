"""A feed is polled all the while, less often as long as its hub pushes."""

from datetime import timedelta

import pytest
from tests.support.hub import Hub, naming, subscriptions
from tests.support.newsroom import Engine, Newsroom
from tests.support.publications import rss


async def test_a_feed_is_polled_less_often_while_its_hub_pushes(
    engine: Engine, room: Newsroom, subscribed: tuple[Hub, str]
):
    hub, url = subscribed
    interval_s = (await engine.channel(url))["interval_s"]
    await hub.verify()
    await engine.skip(timedelta(minutes=16))
    await engine.round()
    pushed = (await engine.channel(url))["next_in_s"]

    room.publish("/feed", rss([("/a", None), ("/not-pushed", None)], extra=naming(hub.address)))
    await engine.skip(timedelta(seconds=pushed + 1))
    await engine.round()
    missed = (await engine.channel(url))["next_in_s"]

    assert pushed == pytest.approx(4 * interval_s, abs=5)
    assert missed <= interval_s, "a page came that the hub had not pushed"


async def test_polling_is_as_before_when_a_subscription_lapses(
    engine: Engine, room: Newsroom, subscribed: tuple[Hub, str]
):
    hub, url = subscribed
    interval_s = (await engine.channel(url))["interval_s"]
    hub.lease_s = 30 * 60
    await hub.verify()
    waits = []
    for _ in range(2):
        await engine.skip(timedelta(minutes=16))
        await engine.round()
        waits.append((await engine.channel(url))["next_in_s"])

    assert waits[0] < 4 * interval_s, "it ends with the lease"
    assert waits[1] == pytest.approx(interval_s, abs=5)


async def test_a_hub_that_denies_makes_us_poll_at_once(engine: Engine, subscribed: tuple[Hub, str]):
    hub, url = subscribed
    await hub.verify()

    await hub.verify(mode="denied", reason="too many of you")

    assert (await engine.channel(url))["next_in_s"] <= 0
    assert await subscriptions(engine) == [(False, False)]
