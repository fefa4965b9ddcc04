"""An alert is told once when it opens and once when it closes: as an event, in the log and to the webhook."""

import asyncio
import json
from dataclasses import replace
from functools import partial

import pytest
import structlog
from aiohttp import web
from tests.support.alerts import AlertWatch
from tests.support.event_log import settle
from tests.support.make import Operator
from tests.support.webhook import receiving

from outrider.alerts.deliveries import AlertDeliveries
from outrider.coordination.errors import StaleLeader
from outrider.coordination.terms import Terms
from outrider.db.reconnecting import ReconnectingConnection
from outrider.events.log import read_events
from outrider.scheduler.leader import ELECTION, duties, open_sender
from outrider.settings import Settings, load
from outrider.webhooks.deliver import deliver_due

SECRET = "orw_the-secret-of-this-test"
FAILS = "UPDATE channel SET errors = 10"
WORKS = "UPDATE channel SET errors = 0"
DUE = "UPDATE alert_delivery SET next_attempt_at = now() WHERE state = 'waiting'"
IDLE = "UPDATE host SET next_allowed_at = '-infinity', breaker = 0, failures = 0"


@pytest.fixture
async def feeds(operator, pool):
    """Sources with a feed each."""

    async def feeds(number: int) -> None:
        await pool.execute(
            "INSERT INTO source (name, url, mode) "
            "SELECT 'source ' || n, 'https://s' || n || '.test/', 'feed' "
            "FROM generate_series(1, $1::int) AS n",
            number,
        )
        await pool.execute(
            "INSERT INTO channel (source_id, host_id, url_hash, url, kind) "
            "SELECT source_id, source_id, gen_random_uuid(), url || 'feed', 2 FROM source WHERE mode = 'feed'"
        )

    return feeds


@pytest.fixture
def told(pool):
    async def told() -> list[tuple[str, str, str]]:
        """The events of alerts: kind, subject and sentence."""
        async with pool.acquire() as db:
            await settle(db)
            batch = await read_events(db, None, kinds=["alert.opened", "alert.closed"])
        return [(each.kind, each.subject_id, each.payload["sentence"]) for each in batch.events]

    return told


def settings_for(url: str | None, **more: str) -> Settings:
    given = {"alert_webhook": url, "alert_secret": SECRET, "allow_private": "127.0.0.0/8", "delay": "0"}
    return load(given | more).settings


@pytest.fixture
def deliver(operator: Operator):
    async def deliver(settings: Settings) -> int:
        queue = AlertDeliveries(settings.alerts)
        sender = partial(open_sender, settings, operator.connection)
        return await deliver_due(operator.connection, queue, sender)

    return deliver


async def test_what_goes_on_is_told_once(alerts, feeds, pool, told):
    await feeds(1)
    await pool.execute(FAILS)
    with structlog.testing.capture_logs() as logged:
        assert await alerts.look() == ["+feed_errors"]
        await pool.execute("UPDATE channel SET errors = 11")
        assert await alerts.look() == []
        await pool.execute(WORKS)
        assert await alerts.is_over() == ["-feed_errors"]
        assert await alerts.look() == []

    number = str(await pool.fetchval("SELECT alert_id FROM alert"))
    assert await told() == [
        ("alert.opened", number, "A feed or sitemap of source 1 failed 10 times in a row."),
        ("alert.closed", number, "A feed or sitemap of source 1 failed 11 times in a row."),
    ]
    lines = [(each["event"], each["log_level"]) for each in logged if each["event"].startswith("alert")]
    assert lines == [("alert opened", "warning"), ("alert closed", "info")]


async def test_a_condition_that_comes_and_goes_is_told_once(alerts, feeds, pool, told):
    await feeds(1)
    for _ in range(4):
        await pool.execute(FAILS)
        await alerts.look()
        await alerts.wait(200)
        await pool.execute(WORKS)
        await alerts.look()
        await alerts.wait(200)

    assert [kind for kind, _, _ in await told()] == ["alert.opened"]
    assert await alerts.is_over() == ["-feed_errors"]


async def test_a_condition_that_does_not_hold_long_enough_leaves_nothing(alerts, pool, told):
    await pool.execute("UPDATE worker SET stopped_at = now()")
    await alerts.sampled("hosts", "due", 5)
    assert await alerts.look() == []
    assert await pool.fetchval("SELECT count(*) FROM alert") == 1
    await alerts.sampled("hosts", "due", 0)
    assert await alerts.look() == []

    assert await pool.fetchval("SELECT count(*) FROM alert") == 0
    assert await told() == []


async def test_the_same_trouble_later_is_another_alert(alerts, feeds, pool):
    await feeds(1)
    for _ in range(2):
        await pool.execute(FAILS)
        assert await alerts.look() == ["+feed_errors"]
        await pool.execute(WORKS)
        assert await alerts.is_over() == ["-feed_errors"]

    rows = await pool.fetch("SELECT key, closed_at IS NULL AS is_open FROM alert")
    assert len(rows) == 2
    assert len({row["key"] for row in rows}) == 1


async def test_a_storm_is_ten_alerts_and_one_for_the_rest(alerts, feeds, pool, told):
    await feeds(224)
    await pool.execute(FAILS)
    assert await alerts.look() == ["+feed_errors"] * 11
    assert (await told())[-1][2] == (
        "214 more sources have a feed or sitemap that fails many times in a row."
    )
    await pool.execute("UPDATE channel SET errors = 0 WHERE channel_id % 2 = 0")
    assert await alerts.look() == []

    await pool.execute(WORKS)
    assert await alerts.is_over() == ["-feed_errors"] * 11


async def test_two_leaders_at_once_tell_once(alerts, feeds, pool, told, database):
    """Both have read the same state before one of them writes; the database decides."""
    await feeds(3)
    others = [ReconnectingConnection(database, application_name=f"leader {number}") for number in range(2)]
    leaders = [AlertWatch(each, alerts.options) for each in others]
    try:
        for sql, sign in ((FAILS, "+"), (WORKS, "-")):
            await pool.execute(sql)
            if sign == "-":
                await alerts.look()
                await alerts.wait(300)
            both = await asyncio.gather(*(leader.look() for leader in leaders))
            assert sorted(both[0] + both[1]) == [f"{sign}feed_errors"] * 3
    finally:
        for each in others:
            await each.close()

    assert [kind for kind, _, _ in await told()] == ["alert.opened"] * 3 + ["alert.closed"] * 3


async def test_a_close_that_another_leader_made_is_not_told_again(alerts, feeds, pool, told):
    """The leader that writes second waits for the first one, which closes the same alert."""
    await feeds(1)
    await pool.execute(FAILS)
    await alerts.look()
    await pool.execute(WORKS)
    await alerts.look()
    await alerts.wait(300)
    async with pool.acquire() as first, pool.acquire() as second:
        async with first.transaction():
            await first.execute("UPDATE alert SET closed_at = now()")
            late = asyncio.create_task(alerts.look())
            while not await second.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted"):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert await late == []

    assert [kind for kind, _, _ in await told()] == ["alert.opened"]


async def test_no_key_has_two_open_alerts(alerts, feeds, pool):
    """The leader that writes second has read the table before the first one wrote."""
    await feeds(1)
    await pool.execute(FAILS)
    async with pool.acquire() as first, pool.acquire() as second:
        async with first.transaction():
            await first.execute(
                "INSERT INTO alert (key, kind, severity, held_since, opened_at, last_seen_at) "
                "SELECT 'feed_errors:source:' || public_id, 'feed_errors', 'warning', now(), now(), now() "
                "FROM source WHERE mode = 'feed'"
            )
            late = asyncio.create_task(alerts.look())
            while not await second.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted"):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert await late == []

    assert await pool.fetchval("SELECT count(*) FROM alert") == 1


async def test_a_leader_whose_term_is_over_tells_nothing(operator, alerts, feeds, pool, told):
    await feeds(1)
    await pool.execute(FAILS)
    terms = Terms(operator.connection, ELECTION)
    old = await terms.begin(0, "first")
    await terms.begin(1, "second")
    tasks = {each.name: each for each in duties(settings_for(None), operator.connection, old)}
    with pytest.raises(StaleLeader):
        await tasks["check alerts"].run()

    assert await told() == []
    assert await pool.fetchval("SELECT count(*) FROM alert") == 0


async def test_the_webhook_is_told_signed_and_in_order(operator, feeds, pool, deliver):
    await feeds(1)
    async with receiving() as receiver:
        settings = settings_for(receiver.url)
        alerts = AlertWatch(operator.connection, settings.alerts)
        await pool.execute(FAILS)
        assert await alerts.look("https://crawler.test") == ["+feed_errors"]
        assert await deliver(settings) == 1
        await pool.execute(WORKS)
        assert await alerts.is_over() == ["-feed_errors"]
        await pool.execute(IDLE)
        assert await deliver(settings) == 1
        assert await deliver(settings) == 0

    assert all(got.is_signed(SECRET) and not got.is_signed("orw_another-secret") for got in receiver.got)
    opened, closed = (json.loads(got.body) for got in receiver.got)
    source = await pool.fetchval("SELECT public_id FROM source WHERE mode = 'feed'")
    assert (opened["event"], opened["kind"], opened["severity"]) == ("alert.opened", "feed_errors", "warning")
    assert opened["subject"] == {"kind": "source", "id": str(source), "name": "source 1"}
    assert opened["url"] == f"https://crawler.test/sources/{source}"
    assert opened["text"] == (
        f"Warning: A feed or sitemap of source 1 failed 10 times in a row. {opened['url']}"
    )
    assert opened["closed_at"] is None
    assert (closed["event"], closed["alert_id"]) == ("alert.closed", opened["alert_id"])
    assert closed["opened_at"] < closed["closed_at"]
    assert closed["text"].startswith("Over after 5 minutes: A feed")
    assert closed["url"] is None, "nobody said where the dashboard is"
    assert [got.delivery for got in receiver.got] == [opened["id"], closed["id"]]


async def test_a_webhook_that_was_down_gets_everything_in_order(operator, feeds, pool, deliver):
    await feeds(2)
    async with receiving(503, 503, 204) as receiver:
        settings = settings_for(receiver.url)
        alerts = AlertWatch(operator.connection, replace(settings.alerts, close_after_s=0.0))
        await pool.execute(FAILS)
        await alerts.look()
        assert await deliver(settings) == 0
        await pool.execute(WORKS)
        await alerts.look()
        for _ in range(4):
            await pool.execute(IDLE)
            await pool.execute(DUE)
            await deliver(settings)

    accepted = [json.loads(got.body) for got in receiver.got[2:]]
    events = [(each["alert_id"], each["event"]) for each in accepted]
    assert sorted(events) == sorted({*events}), "each event is accepted once"
    assert len(events) == 4
    for alert_id in {number for number, _ in events}:
        assert [event for number, event in events if number == alert_id] == ["alert.opened", "alert.closed"]
    assert {got.delivery for got in receiver.got[:2]} <= {got.delivery for got in receiver.got[2:]}


async def test_when_the_receiver_is_back_the_others_do_not_wait_for_their_time(
    operator, feeds, pool, deliver
):
    await feeds(1)
    async with receiving(500, 204) as receiver:
        settings = settings_for(receiver.url)
        alerts = AlertWatch(operator.connection, settings.alerts)
        await pool.execute(FAILS)
        await alerts.look()
        await deliver(settings)
        await pool.execute("UPDATE alert_delivery SET next_attempt_at = now() + interval '1 day'")
        await alerts.sampled("frontier", "pending", *(int(100_000 * 1.2**minute) for minute in range(6)))
        assert await alerts.look() == ["+frontier_growth"]
        for _ in range(2):
            await pool.execute(IDLE)
            await deliver(settings)

    assert [json.loads(got.body)["kind"] for got in receiver.got] == [
        "feed_errors",
        "frontier_growth",
        "feed_errors",
    ]


async def test_a_process_that_dies_while_it_sends_is_followed_by_another(operator, feeds, pool, deliver):
    await feeds(1)
    async with receiving() as receiver:
        settings = settings_for(receiver.url)
        await pool.execute(FAILS)
        await AlertWatch(operator.connection, settings.alerts).look()
        assert await operator.run(AlertDeliveries(settings.alerts).claim) is not None
        assert await deliver(settings) == 0, "it is being sent"
        await pool.execute(DUE)
        assert await deliver(settings) == 1

    assert len(receiver.got) == 1


async def test_a_private_address_is_refused_unless_it_is_allowed(operator, feeds, pool, deliver):
    await feeds(1)
    async with receiving() as receiver:
        settings = settings_for(receiver.url, allow_private="")
        await pool.execute(FAILS)
        await AlertWatch(operator.connection, settings.alerts).look()
        assert await deliver(settings) == 0

    assert receiver.got == []
    assert await pool.fetchval("SELECT state FROM alert_delivery") == "dead"


async def test_without_a_secret_nothing_is_signed(operator, feeds, pool, deliver):
    await feeds(1)
    async with receiving() as receiver:
        settings = settings_for(receiver.url)
        settings = replace(settings, alerts=replace(settings.alerts, secret=None))
        await pool.execute(FAILS)
        await AlertWatch(operator.connection, settings.alerts).look()
        assert await deliver(settings) == 1

    assert "Outrider-Signature" not in receiver.got[0].headers


async def test_what_waits_for_a_webhook_that_was_removed_ends(operator, feeds, pool):
    await feeds(1)
    await pool.execute(FAILS)
    await AlertWatch(operator.connection, settings_for("https://receiver.test/").alerts).look()
    await AlertWatch(operator.connection, settings_for(None).alerts).look()

    assert await pool.fetchval("SELECT state FROM alert_delivery") == "dead"


async def test_what_could_not_be_sent_for_three_days_ends(operator, feeds, pool, deliver):
    await feeds(1)
    async with receiving() as receiver:
        settings = settings_for(receiver.url)
        await pool.execute(FAILS)
        await AlertWatch(operator.connection, settings.alerts).look()
        await pool.execute("UPDATE alert_delivery SET created_at = now() - interval '73 hours'")
        assert await deliver(settings) == 0

    assert receiver.got == []
    assert await pool.fetchval("SELECT state FROM alert_delivery") == "dead"


async def test_it_is_a_duty_of_the_leader(operator, feeds, pool, told):
    await feeds(1)
    await pool.execute(FAILS)
    async with receiving() as receiver:
        receiver.answers = [web.Response(status=200)]
        term = await Terms(operator.connection, ELECTION).begin(0, "me")
        tasks = {each.name: each for each in duties(settings_for(receiver.url), operator.connection, term)}
        await tasks["check alerts"].run()
        await tasks["deliver alerts"].run()

    assert [kind for kind, _, _ in await told()] == ["alert.opened"]
    assert len(receiver.got) == 1


async def test_closed_alerts_are_kept_for_90_days(alerts, feeds, pool):
    await feeds(2)
    await pool.execute(FAILS)
    await alerts.look()
    await pool.execute(WORKS)
    await alerts.is_over()
    await pool.execute("UPDATE alert SET closed_at = closed_at - interval '89 days'")
    await alerts.look()
    assert await pool.fetchval("SELECT count(*) FROM alert") == 2
    await pool.execute("UPDATE alert SET closed_at = closed_at - interval '2 days'")
    await alerts.look()

    assert await pool.fetchval("SELECT count(*) FROM alert") == 0


async def test_a_change_and_its_event_are_written_together_or_not_at_all(alerts, feeds, pool, told):
    """The event cannot be written, so the alert is not opened, and the next pass tells it."""
    await feeds(1)
    await pool.execute(FAILS)
    await pool.execute("ALTER TABLE event_log ADD CONSTRAINT shut CHECK (kind <> 'alert.opened') NOT VALID")
    with pytest.raises(Exception, match="shut"):
        await alerts.look()
    assert await pool.fetchval("SELECT count(*) FROM alert") == 0
    await pool.execute("ALTER TABLE event_log DROP CONSTRAINT shut")

    assert await alerts.look() == ["+feed_errors"]
    assert len(await told()) == 1
