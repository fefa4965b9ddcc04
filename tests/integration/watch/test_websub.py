"""WebSub against a hub of our own on loopback: subscribe, verify, push, renew, and polling all the while."""

import hmac
from collections.abc import AsyncIterator, Mapping
from datetime import timedelta
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from tests.support.newsroom import Engine, Newsroom, feed
from tests.support.publications import rss

from outrider.fetch.outcome import Exchange, Fetched, Outcome, Rejected
from outrider.watch.ladder import ladder
from outrider.watch.pushes import Pushes
from outrider.watch.subscribe import Subscriber


async def serve(app: web.Application) -> tuple[web.AppRunner, str]:
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    return runner, f"http://127.0.0.1:{runner.addresses[0][1]}"


class Hub:
    """Takes subscriptions, verifies them as WebSub says, and pushes."""

    def __init__(self) -> None:
        self.forms: list[dict[str, str]] = []
        self.verified: list[bool] = []
        self.status = 202
        self.lease_s = 864_000

    async def subscribe(self, request: web.Request) -> web.Response:
        form = {name: str(value) for name, value in (await request.post()).items()}
        self.forms.append(form)
        return web.Response(status=self.status)

    async def verify(self, **changes: str) -> int:
        """Ask back, as for the last subscription."""
        form = self.forms[-1]
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
    app.router.add_post("/", made.subscribe)
    runner, origin = await serve(app)
    yield made, f"{origin}/"
    await runner.cleanup()


@pytest.fixture
async def callback(engine: Engine) -> AsyncIterator[str]:
    runner, origin = await serve(Pushes(engine.desk.line, engine.desk.frontier).application())
    yield origin
    await runner.cleanup()


async def post(url: str, form: Mapping[str, str]) -> Outcome:
    async with aiohttp.ClientSession() as session, session.post(url, data=dict(form)) as answer:
        exchange = Exchange(url, answer.status, {}, 1)
        return Fetched(exchange, b"") if answer.ok else Rejected(exchange)


@pytest.fixture
async def subscribed(
    engine: Engine, room: Newsroom, hub: tuple[Hub, str], callback: str
) -> tuple[Hub, Subscriber, str, int]:
    """A source whose feed names the hub, polled once, and asked for."""
    taker, address = hub
    link = f'<link xmlns="http://www.w3.org/2005/Atom" rel="hub" href="{address}"/>'
    url = room.publish("/feed", rss([("/a", None)], extra=link))
    source_id = await engine.watch("news", room.origin(), feed(url))
    await engine.round()
    subscriber = Subscriber(engine.desk.line, callback, post)
    assert await subscriber.one() is True
    return taker, subscriber, url, source_id


async def until_hours(engine: Engine, url: str) -> float:
    [row] = await engine.rows(
        "SELECT extract(epoch FROM hub_until - now())::float8 / 3600 AS hours FROM channel WHERE url = $1",
        url,
    )
    hours: float = row["hours"]
    return hours


async def test_a_feed_that_names_a_hub_is_subscribed_once(engine: Engine, subscribed: Any):
    hub, subscriber, url, _ = subscribed

    again = await subscriber.one()

    assert again is None
    assert [(form["hub.mode"], form["hub.topic"]) for form in hub.forms] == [("subscribe", url)]
    assert await until_hours(engine, url) == pytest.approx(1, abs=0.01), "until it is verified"


async def test_the_hub_is_told_that_it_was_us_and_asked_again_in_time(engine: Engine, subscribed: Any):
    hub, subscriber, url, _ = subscribed

    assert await hub.verify() == 200
    assert hub.verified == [True]
    assert await until_hours(engine, url) == pytest.approx(240 * 0.75, abs=0.1)

    await engine.rows("UPDATE channel SET hub_until = hub_until - interval '181 hours'")
    assert await subscriber.one() is True
    assert hub.forms[0] == hub.forms[1], "renewed with the same secret"


@pytest.mark.parametrize(
    "changes", [{"topic": "http://else.test/"}, {"mode": "unsubscribe"}, {"challenge": ""}]
)
async def test_what_we_did_not_ask_for_is_not_confirmed(
    engine: Engine, subscribed: Any, changes: dict[str, str]
):
    hub, _, url, _ = subscribed

    assert await hub.verify(**changes) == 404
    assert await until_hours(engine, url) == pytest.approx(1, abs=0.01)


async def test_a_signed_push_is_queued_at_once(engine: Engine, room: Newsroom, subscribed: Any):
    hub, _, _, source_id = subscribed

    status = await hub.push(rss([(f"{room.origin()}/pushed", None)]).body)

    assert status == 202
    [row] = await engine.rows("SELECT origin, priority FROM url_frontier WHERE url LIKE '%/pushed'")
    assert tuple(row) == ("feed", 7)
    ways = {rung.way: rung.seen for rung in await engine.run(lambda db: ladder(db, source_id))}
    assert ways == {"websub": 1, "feed": 1}


async def test_a_push_with_a_wrong_signature_is_dropped(engine: Engine, room: Newsroom, subscribed: Any):
    hub, *_ = subscribed

    status = await hub.push(rss([(f"{room.origin()}/forged", None)]).body, secret="guessed")

    assert status == 202, "whoever guesses learns nothing"
    assert await engine.rows("SELECT FROM url WHERE url LIKE '%/forged'") == []


async def test_a_push_without_content_is_a_reason_to_poll(engine: Engine, subscribed: Any):
    hub, _, url, _ = subscribed
    before = (await engine.channel(url))["next_in_s"]

    await hub.push(b"something happened", kind="text/plain")

    assert before > 60
    assert (await engine.channel(url))["next_in_s"] <= 0
    await engine.skip(timedelta(seconds=2))
    await engine.round()
    assert (await engine.channel(url))["polls"] == 2


async def test_an_address_without_the_right_token_is_nobodys(engine: Engine, callback: str, subscribed: Any):
    hub, *_ = subscribed
    right = hub.forms[-1]["hub.callback"]
    wrong = [right[:-1] + ("0" if right[-1] != "0" else "1"), right.replace("/1/", "/2/"), f"{callback}/"]

    async with aiohttp.ClientSession() as session:
        answers = [(await session.post(url, data=b"x")).status for url in wrong]

    assert answers == [404, 404, 404]


async def test_a_hub_that_refuses_is_left_alone_and_the_feed_is_polled(
    engine: Engine, room: Newsroom, hub: tuple[Hub, str], callback: str
):
    taker, address = hub
    taker.status = 403
    link = f'<link xmlns="http://www.w3.org/2005/Atom" rel="hub" href="{address}"/>'
    url = room.publish("/feed", rss([("/a", None)], extra=link))
    await engine.watch("news", room.origin(), feed(url))
    await engine.round()

    assert await Subscriber(engine.desk.line, callback, post).one() is False
    assert await until_hours(engine, url) == pytest.approx(24, abs=0.01)
    assert 0 < (await engine.channel(url))["next_in_s"] <= 900
