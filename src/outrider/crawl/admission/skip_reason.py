"""The catalogue of skip reasons: why a link or an announced URL is not queued (`skipped.REASON`)."""

from outrider.described import DescribedName
from outrider.frontier.dead_reason import DeadReason


class SkipReason(DescribedName):
    """Each sentence follows a number of links: "12 links …"."""

    DEPTH = "depth", "beyond depth {depth}: raise it with --depth"
    SCOPE = "scope", "outside the scope: widen it with --scope or --allow-domain"
    NOFOLLOW = "nofollow", "marked nofollow"
    INVALID = "invalid", "that lead to no web address"
    BINARY = "binary_url", "to files that are not pages"
    ASSET = "asset_url", "to styles, scripts and icons"
    ACTION = "action_url", "to log in, search or buy"
    SHARE = "share_url", "to share buttons and advertising"
    FEED = "feed", "to feeds, which `outrider watch` reads"
    TRAP = "trap", "into URL spaces without end"
    NO_LINK = "no_link", "of feed entries that name no address"
    TOO_MANY = "too_many", "beyond the first 500 entries of a feed"
    OLD = "old", "of sitemaps that changed too long ago"
    FOREIGN = "foreign", "of sitemaps to other sites"
    ITSELF = "itself", "of a sitemap index to itself"
    TOO_MANY_SITEMAPS = "too_many_sitemaps", "to sitemaps beyond those that an index may name"


_DEAD_REASONS = {
    SkipReason.SCOPE: DeadReason.OUT_OF_SCOPE,
    SkipReason.BINARY: DeadReason.BINARY_URL,
    SkipReason.ASSET: DeadReason.ASSET_URL,
    SkipReason.ACTION: DeadReason.ACTION_URL,
    SkipReason.SHARE: DeadReason.SHARE_URL,
    SkipReason.TRAP: DeadReason.TRAP,
}


def dead_reason_of(skipped: SkipReason) -> DeadReason:
    """The dead reason of an entry that was queued before the rules excluded it."""
    return _DEAD_REASONS[skipped]
