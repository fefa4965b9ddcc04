"""Commands of an operator for one feed or sitemap: switch off, switch on, drop."""

import asyncpg

from outrider.db.queries import Queries
from outrider.errors import InvalidInput, InvalidUrl, NotFound
from outrider.frontier.store import FrontierStore
from outrider.sources.model import BY_OPERATOR, ChannelLine, Source
from outrider.sources.store import SourceStore
from outrider.urls import UrlKey, key_of, normalize
from outrider.watch.channels.store import ChannelStore
from outrider.watch.source_service import LONGEST_REASON


class ChannelSwitch:
    """Each method makes its writes on the connection it is given; the caller opens the transaction."""

    def __init__(self, frontier: FrontierStore) -> None:
        self._frontier = frontier
        self._sql = Queries.load("outrider.watch")

    async def find(self, db: asyncpg.Connection, source: Source, named: str) -> ChannelLine:
        """A channel of this source by its number or address; raises NotFound with a list of its channels."""
        channels = await SourceStore().channels(db, source.source_id)
        url = _address(named)
        for channel in channels:
            if named == str(channel.channel_id) or channel.url == url:
                return channel
        there_is = ", ".join(f"{channel.channel_id} ({channel.url})" for channel in channels[:5])
        raise NotFound(f"{source.name!r} has no channel {named[:200]!r}; there is {there_is or 'none'}")

    async def off(self, db: asyncpg.Connection, channel: ChannelLine, reason: str) -> None:
        """Stop polling the channel until it is switched on. Raises InvalidInput without a reason."""
        reason = " ".join(reason.split())[:LONGEST_REASON]
        if not reason:
            raise InvalidInput("say why it is disabled: the reason is shown with the channel")
        row = await db.fetchrow(self._sql.switch_off, channel.channel_id, BY_OPERATOR + reason)
        if row is not None:
            await self._frontier.hide(db, [UrlKey(row["host_id"], row["url_hash"].hex)])

    async def on(self, db: asyncpg.Connection, channel: ChannelLine) -> None:
        """Poll the channel again, at once, and reset its errors."""
        row = await db.fetchrow(self._sql.switch_on, channel.channel_id)
        shown: set[int] = set()
        if row is not None:
            key = UrlKey(row["host_id"], row["url_hash"].hex)
            shown = await self._frontier.show(db, [key], row["source_id"])
            await self._frontier.wake_known_hosts(db, shown)
        if not shown:
            await self._frontier.requeue(db, [key_of(channel.url)])

    async def drop(self, db: asyncpg.Connection, channel: ChannelLine) -> None:
        """Delete the channel and, for a sitemap index, its sitemaps. The pages it announced stay."""
        await ChannelStore().drop(db, channel.channel_id)


def _address(named: str) -> str | None:
    try:
        return normalize(named)
    except InvalidUrl:
        return None
