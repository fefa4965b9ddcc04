"""The HTTP listener for hubs: confirms requested subscriptions, and receives signed pushes.

The channel of a subscription is still polled, so a hub that stops pushing loses no article.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import asyncpg
from aiohttp import web

from outrider.db.queries import Queries
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import InvalidFeed, Unavailable
from outrider.feeds import parse_feed
from outrider.frontier.model import UrlOrigin
from outrider.frontier.store import FrontierStore
from outrider.logs import get_logger
from outrider.watch.channels.model import AnnouncedPage, DiscoveryMethod
from outrider.watch.channels.store import ChannelStore
from outrider.watch.polling.announce import pages_of_feed, sightings_of, submission_of
from outrider.watch.websub.callback import CallbackSubscription, SubscribedChannel, subscription_of_row
from outrider.watch.websub.protocol import RENEW_AT, granted_s, is_signed, is_token

log = get_logger()

T = TypeVar("T")

# Matches any path prefix of the public address: a proxy may or may not remove it.
_ADDRESS = "/{before:(?:.*/)?}{number:[0-9]{1,9}}/{token:[0-9a-f]{32}}"
LARGEST_PUSH = 4 << 20
SLOWEST_PUSH_S = 30.0
LONGEST_CHALLENGE = 1_000
DENIED_S = 7 * 86_400.0


class PushReceiver:
    """Answers hubs at `…/{subscription}/{token}`, and any other request with 404."""

    def __init__(self, connection: ReconnectingConnection, frontier: FrontierStore) -> None:
        self._connection = connection
        self._frontier = frontier
        self._store = ChannelStore()
        self._sql = Queries.load("outrider.watch")

    def application(self) -> web.Application:
        app = web.Application(client_max_size=LARGEST_PUSH)
        app.router.add_get(_ADDRESS, self._verify)
        app.router.add_post(_ADDRESS, self._take)
        return app

    async def _verify(self, request: web.Request) -> web.Response:
        """Confirm or reject the intent of a request to the hub (WebSub 5.3)."""
        found = await self._subscription(request)
        query = request.query
        challenge = query.get("hub.challenge", "")
        if query.get("hub.topic") != found.topic:
            raise web.HTTPNotFound
        match query.get("hub.mode"):
            case "denied":
                log.warning("hub denies", topic=found.topic, reason=query.get("hub.reason", "")[:200])
                await self._run(lambda db: self._denied(db, found))
                return web.Response()
            case "subscribe" if found.wanted is not None and _is_challenge(challenge):
                await self._run(lambda db: self._verified(db, found, granted_s(query)))
            case "unsubscribe" if found.leaving and _is_challenge(challenge):
                await self._run(lambda db: db.execute(self._sql.subscription_ended, found.subscription_id))
            case _:
                raise web.HTTPNotFound
        return web.Response(text=challenge, headers={"X-Content-Type-Options": "nosniff"})

    async def _take(self, request: web.Request) -> web.Response:
        """Receive a push. An unsigned push gets the same answer and is dropped (WebSub 8)."""
        found = await self._subscription(request)
        channel = found.wanted
        if channel is None:
            raise web.HTTPGone  # tells the hub to stop, in case it ignored the unsubscription
        try:
            async with asyncio.timeout(SLOWEST_PUSH_S):
                body = await request.read()
        except TimeoutError as late:
            raise web.HTTPRequestTimeout from late
        if not is_signed(found.secret, body, request.headers.get("X-Hub-Signature")):
            log.warning("push not signed", topic=found.topic)
            return web.Response(status=202)
        try:
            feed = parse_feed(body, found.topic, request.headers.get("Content-Type"))
        except InvalidFeed:
            await self._run(lambda db: self._poll_now(db, channel))
            return web.Response(status=202)
        pages, _ = pages_of_feed(feed, channel.url, DiscoveryMethod.WEBSUB, channel.policy.url_rules())
        await self._run(lambda db: self._queue(db, channel, pages))
        return web.Response(status=202)

    async def _queue(
        self, db: asyncpg.Connection, channel: SubscribedChannel, pages: list[AnnouncedPage]
    ) -> None:
        source_id, priority = channel.source_id, channel.priority
        await self._store.record_sightings(db, channel.channel_id, source_id, sightings_of(pages))
        await self._frontier.ingest(
            db,
            [submission_of(page, source_id, priority, UrlOrigin.FEED, channel.key) for page in pages],
        )

    async def _verified(self, db: asyncpg.Connection, found: CallbackSubscription, lease_s: float) -> None:
        await db.execute(self._sql.subscription_verified, found.subscription_id, lease_s, lease_s * RENEW_AT)

    async def _denied(self, db: asyncpg.Connection, found: CallbackSubscription) -> None:
        """The hub ends the subscription: poll the channel at once."""
        await db.execute(self._sql.subscription_denied, found.subscription_id, DENIED_S)
        if found.channel is not None:
            await self._poll_now(db, found.channel)

    async def _poll_now(self, db: asyncpg.Connection, channel: SubscribedChannel) -> None:
        await self._frontier.wake_known_hosts(db, await self._frontier.bring_forward(db, [channel.key]))

    async def _subscription(self, request: web.Request) -> CallbackSubscription:
        """The subscription of a callback address; 404 if the token is wrong."""
        number, token = int(request.match_info["number"]), request.match_info["token"]
        row = await self._run(lambda db: db.fetchrow(self._sql.subscription_of_callback, number))
        if row is None or not is_token(row["secret"], token):
            raise web.HTTPNotFound
        return subscription_of_row(row)

    async def _run(self, work: Callable[[asyncpg.Connection], Awaitable[T]]) -> T:
        try:
            return await self._connection.run(work, patience_s=2)
        except Unavailable as away:
            # A 5xx makes the hub retry later.
            raise web.HTTPServiceUnavailable from away


def _is_challenge(text: str) -> bool:
    return 0 < len(text) <= LONGEST_CHALLENGE
