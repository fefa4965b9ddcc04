"""The totals of the crawl in Redis, for other programs (OBS-02). PostgreSQL has the real ones."""

from outrider.errors import OutriderError
from outrider.frontier.counter_name import CounterName
from outrider.metrics_history.figures import CrawlFigures
from outrider.redis.connect import asking, connect
from outrider.redis.options import RedisOptions
from outrider.redis.outage import Outage

PREFIX = "crawler:stats:"


class RedisTotals:
    """Writes `crawler:stats:pages_crawled`, `pages_failed` and `bytes_downloaded`."""

    def __init__(self, options: RedisOptions) -> None:
        self._options = options
        self._outage = Outage("totals are in PostgreSQL only")

    async def publish(self, figures: CrawlFigures) -> None:
        """Write the totals. While Redis is away, nothing happens."""
        totals = {
            "pages_crawled": figures.count(CounterName.PAGES),
            "pages_failed": figures.failures,
            "bytes_downloaded": figures.count(CounterName.BYTES),
        }
        redis = connect(self._options)
        try:
            with asking(self._options.address):
                await redis.mset({PREFIX + name: value for name, value in totals.items()})
        except OutriderError as error:
            self._outage.begin(error)
        else:
            self._outage.end()
        finally:
            await redis.aclose()
