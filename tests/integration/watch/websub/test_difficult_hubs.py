"""Hubs that deny, refuse, are down, are busy, have moved or are where nobody may go."""

from datetime import timedelta

import pytest
from tests.support.hub import Hub, Subscribe, free_port, hours_until_asked, watch
from tests.support.newsroom import Engine, Newsroom
from tests.support.publications import rss


async def test_a_hub_that_denies_is_left_alone_for_a_week(engine: Engine, subscribed: tuple[Hub, str]):
    hub, url = subscribed

    assert await hub.verify(mode="denied", reason="not for you") == 200
    assert await hours_until_asked(engine, url) == pytest.approx(7 * 24, abs=0.1)


async def test_a_hub_that_refuses_is_left_alone_for_a_day(
    engine: Engine, room: Newsroom, hub: tuple[Hub, str], subscribe: Subscribe
):
    taker, address = hub
    taker.status = 403
    url = await watch(engine, room, address)

    await subscribe()

    assert len(taker.forms) == 1
    assert await hours_until_asked(engine, url) == pytest.approx(24, abs=0.01)


async def test_a_hub_that_is_down_is_asked_later_while_its_feed_is_polled(
    engine: Engine, room: Newsroom, subscribe: Subscribe
):
    url = await watch(engine, room, f"http://127.0.0.1:{free_port()}/")

    await subscribe()

    assert await hours_until_asked(engine, url) == pytest.approx(1, abs=0.01)
    assert 0 < (await engine.channel(url))["next_in_s"] <= 900
    room.publish("/feed", rss([("/a", None), ("/news", None)]))
    await engine.skip(timedelta(minutes=15))
    await engine.round()
    assert (await engine.channel(url))["polls"] == 2
    assert len(room.asked("/news")) == 1


async def test_a_hub_whose_host_is_busy_is_asked_soon(
    engine: Engine, room: Newsroom, hub: tuple[Hub, str], subscribe: Subscribe
):
    taker, address = hub
    url = await watch(engine, room, address)
    await engine.run(lambda db: engine.context.frontier.lease_host(db, "127.0.0.1"))

    await subscribe()

    assert taker.asked == []
    assert await hours_until_asked(engine, url) == pytest.approx(5 / 60, abs=0.01)


async def test_a_feed_cannot_make_us_post_to_an_address_inside(
    engine: Engine, room: Newsroom, subscribe: Subscribe
):
    url = await watch(engine, room, "http://10.1.2.3/admin")

    await subscribe()

    assert await hours_until_asked(engine, url) == pytest.approx(24, abs=0.01)


@pytest.mark.parametrize("status", [307, 308])
async def test_a_hub_that_moved_is_asked_where_it_is(
    engine: Engine, room: Newsroom, hub: tuple[Hub, str], subscribe: Subscribe, status: int
):
    taker, address = hub
    taker.moved = {"/old": (status, "/older"), "/older": (status, f"{address}/new")}
    url = await watch(engine, room, f"{address}/old")

    await subscribe()

    assert taker.asked == [("POST", "/old"), ("POST", "/older"), ("POST", "/new")]
    assert [form["hub.topic"] for form in taker.forms] == [url]


@pytest.mark.parametrize(
    ("moved", "asked"),
    [
        pytest.param({"/old": (308, "/old")}, 1, id="a loop is not entered again"),
        pytest.param(
            {"/old": (308, "/0")} | {f"/{number}": (308, f"/{number + 1}") for number in range(9)},
            6,
            id="a long chain: the first address and five more",
        ),
        pytest.param({"/old": (302, "/new")}, 1, id="to something that is no form"),
    ],
)
async def test_redirects_of_a_hub_come_to_an_end(
    engine: Engine,
    room: Newsroom,
    hub: tuple[Hub, str],
    subscribe: Subscribe,
    moved: dict[str, tuple[int, str]],
    asked: int,
):
    taker, address = hub
    taker.moved = moved
    url = await watch(engine, room, f"{address}/old")

    await subscribe()

    assert len(taker.asked) == asked
    assert await hours_until_asked(engine, url) == pytest.approx(24, abs=0.01)


async def test_a_hub_is_treated_as_gently_as_any_host(
    engine: Engine, room: Newsroom, hub: tuple[Hub, str], subscribe: Subscribe
):
    """Its answers move its delay and its breaker, and its Retry-After is kept."""
    taker, address = hub
    taker.status, taker.headers = 429, {"Retry-After": "3600"}
    for site in range(3):
        await watch(engine, room, address, site=site)

    await subscribe()

    assert len(taker.asked) == 1, "the other two are put off"
    [host] = await engine.rows(
        "SELECT penalty_ms, extract(epoch FROM next_allowed_at - now())::float8 AS rests_s "
        "FROM host JOIN host_info USING (host_id) WHERE host = '127.0.0.1'"
    )
    assert host["penalty_ms"] > 0
    assert host["rests_s"] > 600
    [line] = await engine.rows("SELECT http_status FROM fetch_log WHERE http_status = 429")
    assert line["http_status"] == 429
