"""Replacements of links are sent to the webhook of a site, signed, at least once."""

import asyncio
import json
import logging
from dataclasses import replace
from functools import partial

import pytest
from aiohttp import web
from tests.support.sites import ALL, SiteOwner
from tests.support.webhook import receiving

from outrider.coordination.terms import Terms
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Conflict, InvalidInput
from outrider.links.webhook.store import DeliveryStore
from outrider.periodic_tasks import run_periodically
from outrider.scheduler.leader import ELECTION, duties, open_sender
from outrider.services.sites.content_links import save_site_field
from outrider.services.sites.links import apply_link
from outrider.services.sites.sites import find_site, remove_site
from outrider.services.sites.webhook import (
    connect_webhook,
    list_deliveries,
    rotate_secret,
    send_test,
)
from outrider.settings import Settings, load
from outrider.webhooks.address import webhook_address
from outrider.webhooks.deliver import deliver_due

DUE = "UPDATE webhook_delivery SET next_attempt_at = now() WHERE state = 'waiting'"
IDLE = "UPDATE host SET next_allowed_at = '-infinity'"


@pytest.fixture
async def db(pool):
    async with pool.acquire() as connection:
        yield connection


@pytest.fixture
async def shop(db) -> SiteOwner:
    made = await SiteOwner.register(db)
    await made.has_pages("/", "/shoes")
    await made.tell("renamed", "/shoes", "/boots")
    return made


@pytest.fixture
def settings() -> Settings:
    return load({"allow_private": "127.0.0.0/8", "delay": "0"}).settings


@pytest.fixture
async def connection(database):
    opened = ReconnectingConnection(database, application_name="test of webhooks")
    yield opened
    await opened.close()


@pytest.fixture
def deliver(connection, settings):
    return partial(deliver_due, connection, DeliveryStore(), partial(open_sender, settings, connection))


@pytest.fixture
def apply(shop):
    """Accept the new address of a link of the site."""

    async def apply() -> None:
        site = await find_site(shop.db, shop.name)
        [link] = (await save_site_field(shop.db, site, "nav.main", ["/shoes"])).links
        await apply_link(shop.db, site.site_id, link.link_id)

    return apply


async def deliveries(shop):
    return (await list_deliveries(shop.db, shop.name, ALL)).items


async def test_a_replacement_is_sent_signed_and_once(shop, apply, deliver):
    async with receiving() as receiver:
        secret = (await connect_webhook(shop.db, shop.name, receiver.url)).secret
        await apply()
        assert await deliver() == 1
        assert await deliver() == 0

    [got] = receiver.got
    assert got.is_signed(secret)
    assert not got.is_signed(secret, got.body + b" ")
    assert not got.is_signed("orw_of-somebody-else-entirely")
    told = json.loads(got.body)
    assert (told["event"], told["source_key"], told["url"], told["replacement"]) == (
        "link.update_requested",
        "nav.main",
        "/shoes",
        "/boots",
    )
    assert got.headers["Content-Type"] == "application/json"
    assert shop.key not in f"{got.headers}{got.body!r}", "the key of the site is never sent"
    [row] = await deliveries(shop)
    assert (row.state.value, row.attempts, row.http_status) == ("delivered", 1, 204)


async def test_it_is_a_duty_of_the_leader(shop, apply, connection, settings, db):
    async with receiving() as receiver:
        await connect_webhook(db, shop.name, receiver.url)
        await apply()
        term = await Terms(connection, ELECTION).begin(0, "me")
        tasks = {each.name: each for each in duties(settings, connection, term)}
        await tasks["deliver link updates"].run()

        assert len(receiver.got) == 1


async def test_a_webhook_that_stalls_keeps_no_other_duty_waiting(shop, apply, connection, settings, db):
    runs = "SELECT coalesce(max(runs), 0) FROM leader_task WHERE name = 'make missing jobs'"
    ended = asyncio.Event()
    async with receiving() as receiver:
        receiver.hold = asyncio.Event()
        await connect_webhook(db, shop.name, receiver.url)
        await apply()
        term = await Terms(connection, ELECTION).begin(0, "me")
        tasks = {each.name: each for each in duties(settings, connection, term)}
        sending, quick = tasks.pop("deliver link updates"), tasks.pop("make missing jobs")

        async def send() -> None:
            await sending.run()
            ended.set()

        together = [replace(sending, run=send), *tasks.values(), replace(quick, every_s=0.0)]
        running = asyncio.create_task(run_periodically(together, 0.01))
        await asyncio.wait_for(receiver.arrived.wait(), 10)
        before = await db.fetchval(runs)
        while await db.fetchval(runs) < before + 2 and not ended.is_set():
            await db.execute("SELECT pg_sleep(0.01)")

        assert not ended.is_set(), "the other duty waited for the webhook"
        [row] = await deliveries(shop)
        assert (row.state.value, len(receiver.got)) == ("waiting", 1)
        running.cancel()
        await asyncio.wait({running})


async def test_the_delivery_is_written_with_the_event_or_not_at_all(shop, apply, db):
    async with receiving() as receiver:
        await connect_webhook(db, shop.name, receiver.url)
    transaction = db.transaction()
    await transaction.start()
    await apply()
    assert len(await deliveries(shop)) == 1
    await transaction.rollback()

    assert await deliveries(shop) == []
    assert await db.fetchval("SELECT count(*) FROM link_update") == 0


async def test_a_site_without_a_webhook_is_sent_nothing(shop, apply, deliver):
    await apply()

    assert await deliveries(shop) == []
    with pytest.raises(Conflict, match="has no webhook"):
        await send_test(shop.db, shop.name)


async def test_a_failure_is_sent_again_with_the_same_number(shop, apply, deliver, db):
    async with receiving(500, 204) as receiver:
        await connect_webhook(db, shop.name, receiver.url)
        await apply()
        assert await deliver() == 0
        [row] = await deliveries(shop)
        assert (row.state.value, row.http_status, row.why) == ("waiting", 500, "the webhook answers 500")
        assert await deliver() == 0, "it waits first"
        await db.execute(DUE)
        await db.execute(IDLE)
        assert await deliver() == 1

    first, second = receiver.got
    assert first.delivery == second.delivery == row.delivery_id


async def test_a_process_that_dies_while_it_sends_is_followed_by_another(shop, apply, deliver, db):
    async with receiving() as receiver:
        receiver.hold = asyncio.Event()
        await connect_webhook(db, shop.name, receiver.url)
        await apply()
        sending = asyncio.create_task(deliver())
        await asyncio.wait_for(receiver.arrived.wait(), 10)
        sending.cancel()
        await asyncio.wait({sending})
        assert await deliver() == 0, "the claim of the lost process still holds"
        receiver.hold.set()
        await db.execute(DUE)
        await db.execute(IDLE)
        assert await deliver() == 1

    assert [got.delivery for got in receiver.got] == [receiver.got[0].delivery] * 2


async def test_a_delivery_is_claimed_by_one_process_at_a_time(shop, db):
    async with receiving() as receiver:
        await connect_webhook(db, shop.name, receiver.url)
    sent = {(await send_test(db, shop.name)).delivery_id for _ in range(2)}

    claimed = [await DeliveryStore().claim(db) for _ in range(3)]

    assert {each.delivery_id for each in claimed[:2]} == sent
    assert claimed[2] is None


async def test_redirects_are_not_followed(shop, apply, deliver, db):
    async with receiving() as elsewhere, receiving() as receiver:
        receiver.answers = [web.Response(status=307, headers={"Location": elsewhere.url})]
        await connect_webhook(db, shop.name, receiver.url)
        await apply()
        await deliver()

        assert (len(receiver.got), elsewhere.got) == (1, [])
    [row] = await deliveries(shop)
    assert (row.state.value, row.http_status) == ("waiting", 307)


async def test_a_long_answer_is_not_read_whole(shop, apply, deliver, db):
    async with receiving() as receiver:
        receiver.answers = [web.Response(body=b"x" * 5_000_000)]
        await connect_webhook(db, shop.name, receiver.url)
        await apply()
        assert await deliver() == 1


async def test_a_private_address_is_refused_unless_it_is_allowed(shop, apply, connection, settings, db):
    closed = replace(settings, fetch=replace(settings.fetch, allow_private=()))
    async with receiving() as receiver:
        await connect_webhook(db, shop.name, receiver.url)
        await apply()
        await deliver_due(connection, DeliveryStore(), partial(open_sender, closed, connection))

        assert receiver.got == []
    [row] = await deliveries(shop)
    assert row.state.value == "dead"
    assert "127.0.0.1" in row.why


async def test_after_the_last_attempt_it_is_dead_and_listed(shop, apply, deliver, db):
    async with receiving(500) as receiver:
        await connect_webhook(db, shop.name, receiver.url)
        await apply()
        await db.execute("UPDATE webhook_delivery SET attempts = 7")
        await deliver()
        await db.execute("UPDATE host SET next_allowed_at = '-infinity'")
        assert await deliver() == 0

        assert len(receiver.got) == 1
    [row] = await deliveries(shop)
    assert (row.state.value, row.attempts, row.ended_at is not None) == ("dead", 8, True)


async def test_both_secrets_sign_while_one_replaces_the_other(shop, deliver, db):
    async with receiving() as receiver:
        old = (await connect_webhook(db, shop.name, receiver.url)).secret
        new = (await rotate_secret(db, shop.name)).secret
        await send_test(db, shop.name)
        await deliver()
        await rotate_secret(db, shop.name, 0)
        await db.execute(IDLE)
        await send_test(db, shop.name)
        await deliver()

    first, second = receiver.got
    assert (first.is_signed(old), first.is_signed(new)) == (True, True)
    assert (second.is_signed(old), second.is_signed(new)) == (False, False)
    assert json.loads(first.body)["event"] == "test"


async def test_a_webhook_that_is_removed_ends_what_waits(shop, apply, deliver, db):
    async with receiving() as receiver:
        await connect_webhook(db, shop.name, receiver.url)
        await apply()
        await connect_webhook(db, shop.name, None)
        assert await deliver() == 0
        assert receiver.got == []

    [row] = await deliveries(shop)
    assert (row.state.value, row.why) == ("dead", "the webhook was removed")


async def test_the_secret_is_in_no_log_and_no_result(shop, apply, deliver, db, caplog):
    caplog.set_level(logging.DEBUG)
    async with receiving(410) as receiver:
        made = await connect_webhook(db, shop.name, receiver.url)
        await apply()
        await deliver()

    assert made.secret not in caplog.text
    assert made.secret not in repr(made)
    assert made.secret not in repr(await find_site(db, shop.name))
    assert made.secret not in repr(await deliveries(shop))


async def test_a_site_that_is_removed_takes_its_deliveries_along(shop, apply, deliver, db):
    async with receiving() as receiver:
        await connect_webhook(db, shop.name, receiver.url)
        await apply()
        await remove_site(db, shop.name)
        assert await deliver() == 0
        assert receiver.got == []


@pytest.mark.parametrize(
    "url",
    ["", "cms.test", "ftp://cms.test/", "javascript:alert(1)", "https://user:secret@cms.test/", "https://",
     "https://cms.test/" + "x" * 2_000],
)  # fmt: skip
def test_a_bad_address_is_refused(url):
    with pytest.raises(InvalidInput):
        webhook_address(url)
