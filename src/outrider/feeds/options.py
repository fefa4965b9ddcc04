"""The settings of feeds and sitemaps."""

from dataclasses import dataclass, field

from outrider.feeds.callback import ListenAddress, listen_address, public_address
from outrider.options import setting


@dataclass(frozen=True, slots=True)
class FeedOptions:
    """Whether channels are polled and searched for, and how often."""

    poll: bool = field(
        default=True,
        metadata=setting(
            "OUTRIDER_FEED_POLL",
            "Poll the feeds and sitemaps of watched sources.",
            alias=("CRAWLER_FEED_POLL_ENABLED",),
        ),
    )
    discover: bool = field(
        default=True,
        metadata=setting(
            "OUTRIDER_FEED_DISCOVERY",
            "Look for feeds and sitemaps of watched sources that have none.",
            alias=("CRAWLER_FEED_DISCOVERY_ENABLED",),
        ),
    )
    auto_disable: bool = field(
        default=True,
        metadata=setting(
            "OUTRIDER_FEED_AUTO_DISABLE",
            "Disable channels that keep failing, and ask them again after a rest of hours or days; "
            "false: they are only asked ever more rarely, once a day at least.",
        ),
    )
    poll_s: float = field(
        default=900.0,
        metadata=setting(
            "OUTRIDER_FEED_INTERVAL",
            "How often a feed is polled before we know it better; a source may have its own.",
            kind="duration",
            least=60,
            most=7 * 86_400,
        ),
    )
    sitemap_poll_s: float = field(
        default=6 * 3600.0,
        metadata=setting(
            "OUTRIDER_SITEMAP_INTERVAL",
            "How often a sitemap is polled.",
            kind="duration",
            least=60,
            most=30 * 86_400,
        ),
    )
    discovery_s: float = field(
        default=3600.0,
        metadata=setting(
            "OUTRIDER_FEED_DISCOVERY_INTERVAL",
            "How often sources without a feed or sitemap are looked for.",
            kind="duration",
            least=10,
            most=7 * 86_400,
        ),
    )
    discovery_retry_s: float = field(
        default=168 * 3600.0,
        metadata=setting(
            "OUTRIDER_FEED_DISCOVERY_RETRY",
            "How long a site that was searched in vain is left alone.",
            kind="duration",
            least=3600,
            most=365 * 86_400,
        ),
    )
    max_sitemap_bytes: int = field(
        default=52 * 1024 * 1024,
        metadata=setting(
            "OUTRIDER_MAX_SITEMAP",
            "Largest sitemap we take, on the wire and unpacked; the protocol allows 50 MB.",
            kind="size",
            least=1024,
            most=1 << 30,
        ),
    )
    websub_callback: str | None = field(
        default=None,
        metadata=setting(
            "OUTRIDER_WEBSUB_CALLBACK",
            "The public address under which hubs reach `outrider websub`; empty: no hub is asked for pushes.",
            parse=public_address,
        ),
    )
    websub_listen: ListenAddress = field(
        default=ListenAddress("127.0.0.1", 8061),
        metadata=setting(
            "OUTRIDER_WEBSUB_LISTEN",
            "Where `outrider websub` listens, as host:port.",
            kind="text",
            parse=listen_address,
        ),
    )
