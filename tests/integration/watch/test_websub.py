"""WebSub against a hub of our own on loopback: subscribe, verify, push, renew, and polling all the while."""

import hmac
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import timedelta

import aiohttp
import pytest
from aiohttp import web
from tests.support.newsroom import Engine, Newsroom, feed
from tests.support.publications import rss

from outrider.app import duties_for
from outrider.feeds.options import FeedOptions
from outrider.watch.ladder import ladder
from outrider.watch.pushes import Pushes

Subscribe = Callable[[], Awaitable[object]]

A_MOMENT = timedelta(seconds=2)  # for hosts to rest between two requests


async def serve(app: web.Application) -> tuple[web.AppRunner, str]:
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    return runner, f"http://127.0.0.1:{runner.addresses[0][1]}"


def free_port() -> int:
    """Where nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port


class Hub:
    """Takes subscriptions, verifies them as WebSub says, and pushes."""

    def __init__(self) -> None:
        self.address = ""
        self.asked: list[tuple[str, str]] = []
        self.forms: list[dict[str, str]] = []
        self.verified: list[bool] = []
        self.status = 202
        self.headers: dict[str, str] = {}
        self.moved: dict[str, tuple[int, str]] = {}  # path → status and where to
        self.lease_s = 864_000

    async def answer(self, request: web.Request) -> web.Response:
        self.asked.append((request.method, request.path))
        form = {name: str(value) for name, value in (await request.post()).items()}
        if request.path in self.moved:
            status, to = self.moved[request.path]
            return web.Response(status=status, headers={"Location": to})
        self.forms.append(form)
        return web.Response(status=self.status, headers=self.headers)

    async def verify(self, form: dict[str, str] | None = None, **changes: str) -> int:
        """Ask back, as for the last request unless another is named."""
        form = form or self.forms[-1]
        query = {
            "hub.mode": "subscribe",
            "hub.topic": form["hub.topic"],
            "hub.challenge": "c-1234",
            "hub.lease_seconds": str(self.lease_s),
        } | {f"hub.{name}": value for name, value in changes.items()}
        async with (
            aiohttp.ClientSession() as session,
            session.get(form["hub.callback"], params=query) as answer,
        ):
            self.verified.append(await answer.text() == "c-1234")
            return answer.status

    async def push(self, body: bytes, secret: str | None = None, kind: str = "application/rss+xml") -> int:
        form = self.forms[-1]
        proof = hmac.new((secret or form["hub.secret"]).encode(), body, "sha256").hexdigest()
        headers = {"X-Hub-Signature": f"sha256={proof}", "Content-Type": kind}
        async with (
            aiohttp.ClientSession() as session,
            session.post(form["hub.callback"], data=body, headers=headers) as answer,
        ):
            return answer.status


@pytest.fixture
async def hub() -> AsyncIterator[tuple[Hub, str]]:
    made = Hub()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", made.answer)
    runner, origin = await serve(app)
    made.address = origin
    yield made, origin  # as feeds often write it, without its last slash
    await runner.cleanup()


@pytest.fixture
async def callback(engine: Engine) -> AsyncIterator[str]:
    runner, origin = await serve(Pushes(engine.desk.line, engine.desk.frontier).application())
    yield origin
    await runner.cleanup()


@pytest.fixture
def subscribe(engine: Engine, callback: str) -> Subscribe:
    """One pass of the duty, as a worker runs it."""
    settings = replace(engine.settings, feeds=FeedOptions(websub_callback=f"{callback}/hooks"))
    duties = {duty.name: duty.run for duty in duties_for(settings, engine.desk, engine.desk.line)}
    return duties["subscribe to hubs"]


def naming(hub: str) -> str:
    """What a feed says about its hub."""
    return f'<link xmlns="http://www.w3.org/2005/Atom" rel="hub" href="{hub}"/>'


async def watch(engine: Engine, room: Newsroom, hub: str, path: str = "/feed", site: int = 0) -> str:
    """Watch a feed that names the hub, and poll it once; returns the feed's address."""
    url = room.publish(path, rss([("/a", None)], extra=naming(hub)), site)
    await engine.watch(f"news{path}{site}", room.origin(site), feed(url))
    await engine.round()
    return url


@pytest.fixture
async def subscribed(
    engine: Engine, room: Newsroom, hub: tuple[Hub, str], subscribe: Subscribe
) -> tuple[Hub, str]:
    """A source whose feed names the hub, polled once, and asked for."""
    taker, address = hub
    url = await watch(engine, room, address)
    await subscribe()
    return taker, url


async def hours_until_asked(engine: Engine, url: str) -> float:
    [row] = await engine.rows(
        "SELECT extract(epoch FROM ask_at - now())::float8 AS seconds FROM subscription WHERE topic = $1", url
    )
    seconds: float = row["seconds"]
    return seconds / 3600


async def test_a_feed_that_names_a_hub_is_subscribed_once(
    engine: Engine, subscribe: Subscribe, subscribed: tuple[Hub, str]
):
    hub, url = subscribed

    await subscribe()

    assert hub.asked == [("POST", "/")], "and robots.txt, which is about pages, is not asked for"
    assert (hub.forms[0]["hub.mode"], hub.forms[0]["hub.topic"]) == ("subscribe", url)
    assert await hours_until_asked(engine, url) == pytest.approx(1, abs=0.01), "until it is verified"


async def test_without_a_public_address_no_hub_is_asked(engine: Engine):
    names = [duty.name for duty in duties_for(engine.settings, engine.desk, engine.desk.line)]

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


async def test_a_hub_that_denies_is_left_alone_for_a_week(engine: Engine, subscribed: tuple[Hub, str]):
    hub, url = subscribed

    assert await hub.verify(mode="denied", reason="not for you") == 200
    assert await hours_until_asked(engine, url) == pytest.approx(7 * 24, abs=0.1)


async def test_a_signed_push_is_queued_at_once(engine: Engine, room: Newsroom, subscribed: tuple[Hub, str]):
    hub, _ = subscribed

    status = await hub.push(rss([(f"{room.origin()}/pushed", None)]).body)

    assert status == 202
    [row] = await engine.rows("SELECT origin, priority FROM url_frontier WHERE url LIKE '%/pushed'")
    assert tuple(row) == ("feed", 7)
    [source] = await engine.rows("SELECT source_id FROM channel")
    ways = {rung.way: rung.seen for rung in await engine.run(lambda db: ladder(db, source["source_id"]))}
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


async def test_an_address_without_the_right_token_is_nobodys(callback: str, subscribed: tuple[Hub, str]):
    hub, _ = subscribed
    right = hub.forms[-1]["hub.callback"]
    wrong = [right[:-1] + ("0" if right[-1] != "0" else "1"), right.replace("/1/", "/22/"), f"{callback}/"]

    async with aiohttp.ClientSession() as session:
        answers = [(await session.post(url, data=b"x")).status for url in wrong]

    assert answers == [404, 404, 404]


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
    await engine.run(lambda db: engine.desk.frontier.borrow(db, "127.0.0.1"))

    await subscribe()

    assert taker.asked == []
    assert await hours_until_asked(engine, url) == pytest.approx(5 / 60, abs=0.01)


async def test_a_feed_cannot_make_us_post_to_an_address_inside(
    engine: Engine, room: Newsroom, subscribe: Subscribe
):
    url = await watch(engine, room, "http://10.1.2.3/admin")

    await subscribe()

    assert await hours_until_asked(engine, url) == pytest.approx(24, abs=0.01)


async def subscriptions(engine: Engine) -> list[tuple[bool, bool]]:
    """Of each whether the hub pushes, and whether it was asked to stop."""
    rows = await engine.rows(
        "SELECT coalesce(pushed_until > now(), false) AS pushed, leaving FROM subscription ORDER BY 1, 2"
    )
    return [(row["pushed"], row["leaving"]) for row in rows]


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
    ("status", "asked"),
    [
        pytest.param(308, 6, id="round in circles: the first address and five more"),
        pytest.param(302, 1, id="to something that is no form"),
    ],
)
async def test_redirects_of_a_hub_come_to_an_end(
    engine: Engine, room: Newsroom, hub: tuple[Hub, str], subscribe: Subscribe, status: int, asked: int
):
    taker, address = hub
    taker.moved = {"/old": (status, "/old")}
    url = await watch(engine, room, f"{address}/old")

    await subscribe()

    assert len(taker.asked) == asked
    assert await hours_until_asked(engine, url) == pytest.approx(24, abs=0.01)


UNWANTED = {
    "disabled": "UPDATE source SET enabled = false, disabled_at = now(), disable_reason = 'too loud'",
    "removed": "DELETE FROM channel",
    "walks": "UPDATE source SET mode = 'spider'",
    "another hub": "UPDATE channel SET hub = NULL",
    "another address": "UPDATE channel SET topic = 'http://127.0.0.2/new'",
}


@pytest.mark.parametrize("change", UNWANTED)
async def test_a_hub_is_asked_to_stop_when_nobody_wants_its_pushes(
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


async def test_a_hub_that_pushes_all_the_same_is_told_that_we_are_gone(
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
