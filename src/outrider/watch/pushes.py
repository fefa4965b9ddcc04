"""The listener hubs talk to: verifies what we asked for, and takes in what is pushed and signed.

A push is never the only way: the channel is polled as before, so a hub that falls silent costs no article.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import asyncpg
import structlog
from aiohttp import web

from outrider.crawl.policy import Policy
from outrider.db.line import Line
from outrider.db.queries import Queries
from outrider.errors import InvalidFeed, Unavailable
from outrider.feeds import parse_feed
from outrider.feeds.websub import is_signed, is_token, renew_in_s
from outrider.frontier.model import Origin, Submission
from outrider.frontier.priority import priority
from outrider.frontier.store import FrontierStore
from outrider.urls import UrlKey, host_of
from outrider.watch.announce import pages_of_feed
from outrider.watch.model import Announced, Sighting, Way
from outrider.watch.store import ChannelStore

log = structlog.get_logger(__name__)

T = TypeVar("T")

# Whatever path the public address has, and whether or not a proxy in front of us cuts it off.
_ADDRESS = "/{before:(?:.*/)?}{channel:[0-9]{1,9}}/{token:[0-9a-f]{32}}"
LARGEST_PUSH = 4 << 20
SLOWEST_PUSH_S = 30.0
DENIED_S = 7 * 86_400.0


class Pushes:
    """Answers hubs at `…/{channel}/{token}`; anybody else learns nothing."""

    def __init__(self, line: Line, frontier: FrontierStore) -> None:
        self._line = line
        self._frontier = frontier
        self._store = ChannelStore()
        self._sql = Queries.load("outrider.watch")

    def application(self) -> web.Application:
        app = web.Application(client_max_size=LARGEST_PUSH)
        app.router.add_get(_ADDRESS, self._verify)
        app.router.add_post(_ADDRESS, self._take)
        return app

    async def _verify(self, request: web.Request) -> web.Response:
        """The hub asks whether it was us who asked (WebSub 5.3)."""
        row = await self._channel(request)
        query = request.query
        if query.get("hub.topic") != row["topic"]:
            raise web.HTTPNotFound
        mode = query.get("hub.mode")
        if mode == "denied":
            log.warning("hub denies", topic=row["topic"], reason=query.get("hub.reason", "")[:200])
            await self._ask_again_in(row["channel_id"], DENIED_S)
            return web.Response()
        challenge = query.get("hub.challenge", "")
        if mode != "subscribe" or not 0 < len(challenge) <= 1000:
            raise web.HTTPNotFound
        await self._ask_again_in(row["channel_id"], renew_in_s(query))
        return web.Response(text=challenge, headers={"X-Content-Type-Options": "nosniff"})

    async def _take(self, request: web.Request) -> web.Response:
        """A push. One that is not signed is answered like any other, and dropped (WebSub 8)."""
        row = await self._channel(request)
        try:
            async with asyncio.timeout(SLOWEST_PUSH_S):
                body = await request.read()
        except TimeoutError as late:
            raise web.HTTPRequestTimeout from late
        if not is_signed(row["hub_secret"], body, request.headers.get("X-Hub-Signature")):
            log.warning("push not signed", topic=row["topic"])
            return web.Response(status=202)
        try:
            feed = parse_feed(body, row["topic"], request.headers.get("Content-Type"))
        except InvalidFeed:
            await self._run(lambda db: self._poll_now(db, UrlKey(row["host_id"], row["url_hash"].hex)))
            return web.Response(status=202)
        pages, _ = pages_of_feed(feed, row["url"], Way.WEBSUB, Policy.from_json(row["policy"]).url_rules())
        await self._run(lambda db: self._queue(db, row, pages))
        return web.Response(status=202)

    async def _queue(self, db: asyncpg.Connection, row: asyncpg.Record, pages: list[Announced]) -> None:
        seen = [Sighting(page.key, page.way, page.published_at) for page in pages]
        await self._store.sight(db, row["channel_id"], row["source_id"], seen)
        await self._frontier.ingest(
            db,
            [
                Submission(
                    key=page.key,
                    url=page.url,
                    host=host_of(page.url),
                    priority=priority(row["priority"], Origin.FEED, 0),
                    source_id=row["source_id"],
                    origin=Origin.FEED,
                    parent=UrlKey(row["host_id"], row["url_hash"].hex),
                )
                for page in pages
            ],
        )

    async def _poll_now(self, db: asyncpg.Connection, key: UrlKey) -> None:
        if await db.fetchrow(self._sql.poll_now, key.host_id, key.hash) is not None:
            await db.execute(self._sql.wake_for_poll, key.host_id)

    async def _channel(self, request: web.Request) -> asyncpg.Record:
        """The channel an address names, if its token is right."""
        channel_id, token = int(request.match_info["channel"]), request.match_info["token"]
        row = await self._run(lambda db: db.fetchrow(self._sql.subscribed_channel, channel_id))
        if row is None or not is_token(row["hub_secret"], token):
            raise web.HTTPNotFound
        return row

    async def _ask_again_in(self, channel_id: int, seconds: float) -> None:
        await self._run(lambda db: db.execute(self._sql.ask_hub_in, channel_id, seconds))

    async def _run(self, work: Callable[[asyncpg.Connection], Awaitable[T]]) -> T:
        try:
            return await self._line.run(work, patience_s=2)
        except Unavailable as away:
            # The hub tries again later; that is what a 5xx is for.
            raise web.HTTPServiceUnavailable from away
