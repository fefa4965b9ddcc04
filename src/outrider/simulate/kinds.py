"""The kinds of sites in a simulated web, and the profile of each kind."""

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
    """How a site announces its articles."""

    NONE = "none"
    FEED = "feed"
    SITEMAP = "sitemap"
    NEWS_SITEMAP = "news sitemap"


@dataclass(frozen=True, slots=True)
class SiteProfile:
    """The properties of sites of one kind; each site draws its own value from the ranges."""

    share: float  # of all sites, in percent, unless a mix says otherwise
    channel: ChannelType
    posts_a_day: Range
    backlog_days: int  # age of the site when the simulation begins
    latency_s: Range = (0.05, 0.4)
    revised: float = 0.1  # share of articles that change after publication


PROFILES = {
    SiteKind.NEWS: SiteProfile(5, ChannelType.FEED, (3, 10), 4, revised=0.25),
    SiteKind.BLOG: SiteProfile(41, ChannelType.FEED, (0.1, 0.8), 30),
    SiteKind.NEWS_SITEMAP: SiteProfile(2, ChannelType.NEWS_SITEMAP, (2, 8), 4, revised=0.25),
    SiteKind.SITEMAP: SiteProfile(23, ChannelType.SITEMAP, (0.1, 1), 30),
    SiteKind.PLAIN: SiteProfile(7, ChannelType.NONE, (0.1, 0.8), 14),
    SiteKind.ARCHIVE: SiteProfile(1, ChannelType.NONE, (0.5, 1), 90, latency_s=(1, 4), revised=0.02),
    SiteKind.STORMY: SiteProfile(3, ChannelType.FEED, (0.5, 3), 10),
    SiteKind.SLOW: SiteProfile(4, ChannelType.FEED, (0.2, 1), 20, latency_s=(2, 9)),
    SiteKind.DYING: SiteProfile(3, ChannelType.FEED, (0.5, 2), 10),
    SiteKind.MAZE: SiteProfile(2, ChannelType.NONE, (0.1, 0.5), 14),
    SiteKind.CALENDAR: SiteProfile(3, ChannelType.NONE, (0.1, 0.5), 14),
    SiteKind.MIRROR: SiteProfile(4, ChannelType.FEED, (0.2, 1), 20),
    SiteKind.LIAR: SiteProfile(2, ChannelType.SITEMAP, (0.1, 1), 14),
}
