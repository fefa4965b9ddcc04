"""Pushes that nobody wants any more are called off."""

from datetime import timedelta

import pytest
from tests.support.hub import A_MOMENT, Hub, Subscribe, subscriptions
from tests.support.newsroom import Engine, Newsroom
from tests.support.publications import rss

UNWANTED = {
    "disabled": "UPDATE source SET enabled = false, disabled_at = now(), disable_reason = 'too loud'",
    "removed": "DELETE FROM channel",
    "walks": "UPDATE source SET mode = 'spider'",
    "another hub": "UPDATE channel SET hub = NULL",
    "another address": "UPDATE channel SET topic = 'http://127.0.0.2/new'",
}


@pytest.mark.parametrize("change", UNWANTED)
async def test_a_hub_is_asked_to_stop_when_no_source_needs_its_pushes(
    engine: Engine, subscribe: Subscribe, subscribed: tuple[Hub, str], change: str
):
    hub, url = subscribed
    assert await hub.verify() == 200
    await engine.rows(UNWANTED[change])
    await engine.skip(A_MOMENT)

    await subscribe()

    form = next(form for form in hub.forms if form["hub.mode"] == "unsubscribe")
    assert (form["hub.topic"], form["hub.callback"]) == (url, hub.forms[0]["hub.callback"])
    assert await hub.verify(form, mode="unsubscribe") == 200, "and says so when the hub asks back"
    assert await hub.verify(form, mode="unsubscribe") == 404, "once"
    assert (True, True) not in await subscriptions(engine)


async def test_a_push_after_the_unsubscription_is_answered_with_410(
    engine: Engine, room: Newsroom, subscribe: Subscribe, subscribed: tuple[Hub, str]
):
    hub, _ = subscribed
    await hub.verify()
    await engine.rows(UNWANTED["removed"])

    assert await hub.push(rss([(f"{room.origin()}/late", None)]).body) == 410
    assert await engine.rows("SELECT FROM url WHERE url LIKE '%/late'") == []


async def test_a_hub_that_does_not_let_go_is_forgotten_when_its_lease_is_over(
    engine: Engine, subscribe: Subscribe, subscribed: tuple[Hub, str]
):
    hub, _ = subscribed
    await hub.verify()
    hub.status = 503
    await engine.rows(UNWANTED["removed"])
    await engine.skip(A_MOMENT)
    await subscribe()
    assert await subscriptions(engine) == [(True, True)]

    await engine.skip(timedelta(days=11))
    await subscribe()

    assert await subscriptions(engine) == []


async def test_a_source_that_is_wanted_again_is_subscribed_again(
    engine: Engine, subscribe: Subscribe, subscribed: tuple[Hub, str]
):
    hub, _ = subscribed
    await hub.verify()
    for mode in ("spider", "feed"):
        await engine.skip(A_MOMENT)
        await subscribe()
        await engine.rows("UPDATE source SET mode = $1::text::ingestion_mode", mode)
    await engine.skip(A_MOMENT)

    await subscribe()

    assert [form["hub.mode"] for form in hub.forms] == ["subscribe", "unsubscribe", "subscribe"]
    assert await hub.verify(hub.forms[1], mode="unsubscribe") == 404, "we have thought better of it"
    assert await hub.verify() == 200
