"""Commands of an operator for one feed or sitemap: switch off, switch on, drop."""

import asyncpg

from outrider.db.queries import Queries
from outrider.errors import InvalidInput, InvalidUrl, NotFound
from outrider.frontier.store import FrontierStore
from outrider.sources.model import BY_OPERATOR, ChannelLine, Source
from outrider.sources.store import SourceStore
from outrider.urls import key_of, normalize
from outrider.watch.channels.store import ChannelStore
from outrider.watch.source_service import LONGEST_REASON


class Switch:
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
        await db.execute(self._sql.switch_off, channel.channel_id, BY_OPERATOR + reason)

    async def on(self, db: asyncpg.Connection, channel: ChannelLine) -> None:
        """Poll the channel again, at once, and reset its errors."""
        row = await db.fetchrow(self._sql.switch_on, channel.channel_id)
        if row is None:
            await self._frontier.requeue(db, [key_of(channel.url)])
        else:
            await db.execute(self._sql.wake_for_poll, row["host_id"])

    async def drop(self, db: asyncpg.Connection, channel: ChannelLine) -> None:
        """Delete the channel and, for a sitemap index, its sitemaps. The pages it announced stay."""
        await ChannelStore().drop(db, channel.channel_id)


def _address(named: str) -> str | None:
    try:
        return normalize(named)
    except InvalidUrl:
        return None
