"""Hubs are asked for pushes, once each, and confirm; what they confirm is renewed in time."""

from datetime import timedelta

import pytest
from tests.support.hub import Hub, Subscribe, hours_until_asked, watch
from tests.support.newsroom import Engine, Newsroom

from outrider.app import watch_tasks_for


async def test_a_feed_that_names_a_hub_is_subscribed_once(
    engine: Engine, subscribe: Subscribe, subscribed: tuple[Hub, str]
):
    hub, url = subscribed

    await subscribe()

    assert hub.asked == [("POST", "/")], "and robots.txt, which is about pages, is not asked for"
    assert (hub.forms[0]["hub.mode"], hub.forms[0]["hub.topic"]) == ("subscribe", url)
    assert await hours_until_asked(engine, url) == pytest.approx(1, abs=0.01), "until it is verified"


async def test_without_a_public_address_no_hub_is_asked(engine: Engine):
    names = [
        duty.name for duty in watch_tasks_for(engine.settings, engine.context, engine.context.connection)
    ]

    assert "subscribe to hubs" not in names


async def test_all_feeds_of_one_hub_are_subscribed_in_one_pass(
    engine: Engine, room: Newsroom, hub: tuple[Hub, str], subscribe: Subscribe
):
    taker, address = hub
    urls = {await watch(engine, room, address, site=site) for site in range(3)}

    await subscribe()

    assert {form["hub.topic"] for form in taker.forms} == urls
    assert len({form["hub.secret"] for form in taker.forms}) == 3, "each has a secret of its own"


async def test_a_verified_subscription_is_renewed_before_its_lease_ends(
    engine: Engine, subscribe: Subscribe, subscribed: tuple[Hub, str]
):
    hub, url = subscribed

    assert await hub.verify() == 200
    assert hub.verified == [True]
    assert await hours_until_asked(engine, url) == pytest.approx(240 * 0.75, abs=0.1)

    await engine.skip(timedelta(hours=179))
    await subscribe()
    assert len(hub.forms) == 1, "not yet"
    await engine.skip(timedelta(hours=2))
    await subscribe()
    assert hub.forms[1:] == hub.forms[:1], "renewed with the same secret"


@pytest.mark.parametrize(
    "changes", [{"topic": "http://else.test/"}, {"mode": "unsubscribe"}, {"challenge": ""}]
)
async def test_what_we_did_not_ask_for_is_not_confirmed(
    engine: Engine, subscribed: tuple[Hub, str], changes: dict[str, str]
):
    hub, url = subscribed

    assert await hub.verify(**changes) == 404
    assert await hours_until_asked(engine, url) == pytest.approx(1, abs=0.01)
