"""The handlers of channels, by kind of entry, for the desk of a worker."""

import asyncio

from outrider.clock import Clock
from outrider.crawl.visit import Handler
from outrider.feeds.options import FeedOptions
from outrider.frontier.model import Kind
from outrider.watch.polls.feed import FeedReader
from outrider.watch.polls.handler import Polls
from outrider.watch.polls.sitemap import SitemapReader

MOST_POLLS = 10  # at once (FED-01): what they announce should not have to wait for them all


def channel_handlers(options: FeedOptions, clock: Clock | None = None) -> dict[Kind, Handler]:
    at_once = asyncio.Semaphore(MOST_POLLS)
    is_on, may_disable = options.poll, options.auto_disable
    return {
        Kind.FEED: Polls(FeedReader(options), at_once, clock, is_on=is_on, may_disable=may_disable),
        Kind.SITEMAP: Polls(SitemapReader(options), at_once, clock, is_on=is_on, may_disable=may_disable),
    }
