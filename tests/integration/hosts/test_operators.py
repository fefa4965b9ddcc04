"""What an operator does to a host, and what the claim makes of it."""

from collections.abc import AsyncIterator

import pytest
from tests.support.make import Operator, urls_of

from outrider.errors import NotFound
from outrider.frontier.host_control import HostControl
from outrider.hosts.model import BreakerState
from outrider.hosts.store import HostStore
from outrider.hosts.view import HostOrder
from outrider.robots.store import RobotsStore
from outrider.urls import host_id_of

PAGE = "http://a.test/1"
HOSTS = HostStore()
CONTROL = HostControl()


@pytest.fixture
async def operator(database: str) -> AsyncIterator[Operator]:
    made = await Operator.enter(database)
    yield made
    await made.connection.close()


async def block(operator: Operator, host: str = "a.test") -> None:
    await operator.run(lambda db: CONTROL.block(db, host, "its owner asked", 1000))


async def test_a_blocked_host_is_not_claimed_and_keeps_its_urls(operator: Operator):
    await operator.queue(PAGE, "http://b.test/1")

    await block(operator)

    assert urls_of(await operator.claim()) == ["http://b.test/1"]
    assert await operator.state(PAGE) == "pending"
    view = await operator.run(lambda db: HOSTS.find(db, "a.test"))
    assert view is not None
    assert view.is_blocked
    assert view.block_reason == "its owner asked"
    assert (view.next_allowed_at, view.due_at) == (None, None)


async def test_a_block_outlives_new_links_retries_and_the_worker_that_held_the_host(operator: Operator):
    await operator.queue(PAGE)
    lease = await operator.claim_one()
    await block(operator)

    await operator.queue("http://a.test/2", priority=10)
    await operator.release(lease)
    await operator.queue("http://a.test/3", priority=10)
    await operator.requeue(PAGE)

    assert await operator.claim() == []


async def test_an_unknown_host_can_be_blocked(operator: Operator):
    await block(operator)

    await operator.queue(PAGE)

    assert await operator.claim() == []


async def test_an_unblocked_host_is_due_again_with_its_best_url(operator: Operator):
    await operator.queue(PAGE)
    await block(operator)
    await operator.queue("http://a.test/2", priority=9)

    await operator.run(lambda db: CONTROL.unblock(db, "a.test"))

    view = await operator.run(lambda db: HOSTS.find(db, "a.test"))
    assert view is not None
    assert view.due_at is not None
    assert not view.is_blocked
    assert view.block_reason is None
    await operator.make_due(PAGE, "http://a.test/2")
    assert urls_of(await operator.claim()) == ["http://a.test/2", PAGE]


async def test_an_unblocked_host_without_urls_is_not_due(operator: Operator):
    await block(operator)

    await operator.run(lambda db: CONTROL.unblock(db, "a.test"))

    assert (await operator.host("a.test"))["due_at"] is None


async def test_only_a_blocked_host_can_be_unblocked(operator: Operator):
    await operator.queue(PAGE)

    with pytest.raises(NotFound, match=r"a\.test is not blocked"):
        await operator.run(lambda db: CONTROL.unblock(db, "a.test"))


async def test_a_reset_closes_the_circuit_lifts_block_and_penalty_and_outdates_robots(operator: Operator):
    await operator.queue(PAGE)
    troubles = {
        "failures": "5",
        "trips": "3",
        "penalty_ms": "9000",
        "robots_failures": "2",
        "rate_limited": "6",
    }
    await operator.set_host("a.test", breaker="1", **troubles)
    await operator.run(
        lambda db: RobotsStore().remember(
            db, host_id=host_id_of("a.test"), origin="http://a.test", status=200, body=b"", life_s=9000
        )
    )
    await block(operator)

    await operator.run(lambda db: CONTROL.reset(db, "a.test"))

    view = await operator.run(lambda db: HOSTS.find(db, "a.test"))
    assert view is not None
    assert view.breaker is BreakerState.CLOSED
    assert (view.failures, view.penalty_ms, view.robots_failures, view.rate_limited) == (0, 0, 0, 0)
    assert not view.is_blocked
    assert view.due_at is not None
    files = await operator.run(lambda db: RobotsStore().of_hosts(db, [host_id_of("a.test")]))
    still_believed = await operator.run(
        lambda db: db.fetchval("SELECT count(*) FROM robots WHERE expires_at > now()")
    )
    assert list(files) == ["http://a.test"]
    assert still_believed == 0


async def test_a_reset_is_not_early(operator: Operator):
    await operator.queue(PAGE)
    await operator.set_host("a.test", delay_ms="60000")

    await operator.run(lambda db: CONTROL.reset(db, "a.test"))

    assert await operator.claim() == []


async def test_an_operators_delay_is_remembered_apart_from_the_one_in_force(operator: Operator):
    await operator.queue(PAGE)

    await operator.run(lambda db: CONTROL.set_delay(db, "a.test", 200, 5000))
    slowed = await operator.run(lambda db: HOSTS.find(db, "a.test"))
    await operator.run(lambda db: CONTROL.set_delay(db, "a.test", None, 1000))
    freed = await operator.run(lambda db: HOSTS.find(db, "a.test"))

    assert slowed is not None
    assert (slowed.asked_delay_ms, slowed.delay_ms) == (200, 5000)
    assert freed is not None
    assert (freed.asked_delay_ms, freed.delay_ms) == (None, 1000)


@pytest.mark.parametrize("deed", ["reset", "set_delay"])
async def test_a_host_that_was_never_queued_is_not_found(operator: Operator, deed: str):
    arguments = {"reset": (), "set_delay": (1, 1)}[deed]

    with pytest.raises(NotFound, match="nothing was ever queued"):
        await operator.run(lambda db: getattr(CONTROL, deed)(db, "nowhere.test", *arguments))


@pytest.mark.parametrize(
    ("order", "first"),
    [
        (HostOrder.PAGES, "many.test"),
        (HostOrder.ERRORS, "bad.test"),
        (HostOrder.SLOW, "slow.test"),
        (HostOrder.DELAY, "gentle.test"),
    ],
)
async def test_a_list_begins_with_what_was_asked_for(operator: Operator, order: HostOrder, first: str):
    await operator.queue(*(f"http://{name}.test/" for name in ("many", "bad", "slow", "gentle", "plain")))
    for host, change in (
        ("many.test", "pages = 9, requests = 9"),
        ("bad.test", "errors = 3"),
        ("slow.test", "busy_ms = 900, requests = 1"),
    ):
        await operator.run(
            lambda db, host=host, change=change: db.execute(
                f"UPDATE host_info SET {change} WHERE host_id = $1", host_id_of(host)
            )
        )
    await operator.set_host("gentle.test", penalty_ms="70000")

    hosts, _ = await operator.run(lambda db: HOSTS.page(db, order, 3))

    assert hosts[0].host == first
    assert len(hosts) == 3


async def test_a_lease_is_shown_with_the_worker_that_has_it(operator: Operator):
    await operator.queue(PAGE)
    await operator.claim_one()

    view = await operator.run(lambda db: HOSTS.find(db, "a.test"))

    assert view is not None
    assert view.leased_to is not None
    assert view.leased_to.startswith(f"worker {operator.store.worker_id} (tests, process ")


async def test_queued_urls_of_a_host_are_counted(operator: Operator):
    await operator.queue(PAGE, "http://a.test/2", "http://b.test/")

    assert await operator.run(lambda db: HOSTS.queued(db, "a.test")) == 2
    assert await operator.run(lambda db: HOSTS.find(db, "nowhere.test")) is None


async def test_a_host_blocked_while_leased_stays_blocked_when_its_worker_dies(operator: Operator):
    await operator.queue(PAGE)
    await operator.claim_one()
    await block(operator)

    await operator.let_lease_run_out("a.test")

    assert await operator.claim() == []
    assert await operator.state(PAGE) == "pending"


async def test_what_an_operator_does_to_a_host_is_an_event(operator: Operator):
    await operator.queue(PAGE)

    await block(operator)
    await operator.run(lambda db: CONTROL.unblock(db, "a.test"))
    await operator.run(lambda db: CONTROL.reset(db, "a.test"))

    told = await operator.run(
        lambda db: db.fetch("SELECT kind, subject_id, payload FROM event_log ORDER BY xid, id")
    )
    assert [row["kind"] for row in told] == ["host.blocked", "host.unblocked", "host.reset"]
    assert told[0]["payload"] == {"host": "a.test", "reason": "its owner asked"}
    assert {row["subject_id"] for row in told} == {"a.test"}
