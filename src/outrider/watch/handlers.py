"""The handlers of channels, by kind of entry, for the desk of a worker."""

from outrider.clock import Clock
from outrider.crawl.handler import Handler
from outrider.feeds.options import FeedOptions
from outrider.frontier.model import Kind
from outrider.watch.feed_reader import FeedReader
from outrider.watch.polls import Polls
from outrider.watch.sitemap_reader import SitemapReader


def channel_handlers(options: FeedOptions, clock: Clock | None = None) -> dict[Kind, Handler]:
    return {
        Kind.FEED: Polls(FeedReader(options), clock, is_on=options.poll),
        Kind.SITEMAP: Polls(SitemapReader(options), clock, is_on=options.poll),
    }
