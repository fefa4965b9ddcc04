"""The kinds of sites there are in a simulated web, and what each is like."""

from dataclasses import dataclass
from enum import StrEnum

Range = tuple[float, float]


class SiteKind(StrEnum):
    NEWS = "news"  # a feed, many articles a day
    BLOG = "blog"  # a feed, a few a week
    NEWS_SITEMAP = "news sitemap"
    SITEMAP = "sitemap"
    PLAIN = "plain"  # nothing announces its pages
    ARCHIVE = "archive"  # large, slow, hardly anything new
    STORMY = "stormy"  # has hours in which it answers 429
    SLOW = "slow"
    DYING = "dying"  # answers 5xx one day, then not at all; some come back
    MAZE = "maze"  # redirects to redirects
    CALENDAR = "calendar"  # months without end
    MIRROR = "mirror"  # the pages of another site
    LIAR = "liar"  # its sitemap says that everything has just changed


class ChannelType(StrEnum):
    """What a site announces its articles with."""

    NONE = "none"
    FEED = "feed"
    SITEMAP = "sitemap"
    NEWS_SITEMAP = "news sitemap"


@dataclass(frozen=True, slots=True)
class Nature:
    """What sites of one kind have in common; each draws its own value from the ranges."""

    share: float  # of all sites, in percent, unless a mix says otherwise
    channel: ChannelType
    posts_a_day: Range
    backlog_days: int  # for how long it has been there when the simulation begins
    latency_s: Range = (0.05, 0.4)
    revised: float = 0.1  # share of articles that change after publication


NATURES = {
    SiteKind.NEWS: Nature(5, ChannelType.FEED, (3, 10), 4, revised=0.25),
    SiteKind.BLOG: Nature(41, ChannelType.FEED, (0.1, 0.8), 30),
    SiteKind.NEWS_SITEMAP: Nature(2, ChannelType.NEWS_SITEMAP, (2, 8), 4, revised=0.25),
    SiteKind.SITEMAP: Nature(23, ChannelType.SITEMAP, (0.1, 1), 30),
    SiteKind.PLAIN: Nature(7, ChannelType.NONE, (0.1, 0.8), 14),
    SiteKind.ARCHIVE: Nature(1, ChannelType.NONE, (0.5, 1), 90, latency_s=(1, 4), revised=0.02),
    SiteKind.STORMY: Nature(3, ChannelType.FEED, (0.5, 3), 10),
    SiteKind.SLOW: Nature(4, ChannelType.FEED, (0.2, 1), 20, latency_s=(2, 9)),
    SiteKind.DYING: Nature(3, ChannelType.FEED, (0.5, 2), 10),
    SiteKind.MAZE: Nature(2, ChannelType.NONE, (0.1, 0.5), 14),
    SiteKind.CALENDAR: Nature(3, ChannelType.NONE, (0.1, 0.5), 14),
    SiteKind.MIRROR: Nature(4, ChannelType.FEED, (0.2, 1), 20),
    SiteKind.LIAR: Nature(2, ChannelType.SITEMAP, (0.1, 1), 14),
}
