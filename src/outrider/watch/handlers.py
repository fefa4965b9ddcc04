"""The handlers of channels by kind of entry, for the context of a worker."""

import asyncio

from outrider.clock import Clock
from outrider.crawl.visit import Handler
from outrider.feeds.options import FeedOptions
from outrider.frontier.model import EntryKind
from outrider.watch.polling.feed import FeedReader
from outrider.watch.polling.handler import PollHandler
from outrider.watch.polling.sitemap import SitemapReader

MOST_POLLS = 10  # at once (FED-01), so that polls do not delay the pages they announce


def channel_handlers(options: FeedOptions, clock: Clock | None = None) -> dict[EntryKind, Handler]:
    at_once = asyncio.Semaphore(MOST_POLLS)
    is_on, may_disable = options.poll, options.auto_disable
    return {
        EntryKind.FEED: PollHandler(
            FeedReader(options), at_once, clock, is_on=is_on, may_disable=may_disable
        ),
        EntryKind.SITEMAP: PollHandler(
            SitemapReader(options), at_once, clock, is_on=is_on, may_disable=may_disable
        ),
    }
