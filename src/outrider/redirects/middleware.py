"""What the middlewares for ASGI, WSGI and Django share: the table, the recorder and the figures."""

from collections import OrderedDict
from dataclasses import dataclass
from time import perf_counter
from urllib.parse import urlsplit

from outrider.errors import InvalidInput, Misconfigured
from outrider.redirects.bots import BotFilter
from outrider.redirects.follower import TableFeed, TableFollower
from outrider.redirects.recorder import Recorder
from outrider.redirects.serving import RedirectAnswer
from outrider.sites.paths import decode

OK, NOT_FOUND = 200, 404
MOST_OWN_SPELLINGS = 10_000
_TIMED = 127  # one request of 128 is timed


@dataclass(frozen=True, slots=True)
class MiddlewareFigures:
    """The figures of one middleware (OBS-06)."""

    requests: int
    redirects: int
    redirect_table_hits: int
    redirect_table_misses: int
    mean_lookup_us: float | None  # of a sample
    dropped_reports: int
    redirects_loaded: int
    version: int | None  # None: nothing is loaded yet
    error: str | None  # why changes do not arrive at present

    def prometheus_text(self) -> str:
        """The figures in the text format of Prometheus, for the `/metrics` of the application."""
        mean = "" if self.mean_lookup_us is None else f"{self.mean_lookup_us / 1e6:.9f}"
        lines = [
            "# TYPE outrider_middleware_lookups_total counter",
            f'outrider_middleware_lookups_total{{result="hit"}} {self.redirect_table_hits}',
            f'outrider_middleware_lookups_total{{result="miss"}} {self.redirect_table_misses}',
            "# TYPE outrider_middleware_dropped_reports_total counter",
            f"outrider_middleware_dropped_reports_total {self.dropped_reports}",
            "# TYPE outrider_middleware_redirects gauge",
            f"outrider_middleware_redirects {self.redirects_loaded}",
            "# TYPE outrider_middleware_is_following gauge",
            f"outrider_middleware_is_following {int(self.error is None and self.version is not None)}",
            *(["# TYPE outrider_middleware_lookup_seconds gauge"] if mean else []),
            *([f"outrider_middleware_lookup_seconds {mean}"] if mean else []),
        ]
        return "\n".join(lines) + "\n"


class RedirectService:
    """Answers requests from memory and notes what the application answered. It never raises."""

    def __init__(
        self,
        site: str,
        database_url: str | None,
        api_url: str | None,
        key: str | None,
        bot_words: tuple[str, ...],
    ) -> None:
        self.recorder = Recorder()
        self.feed = _feed(site, database_url, api_url, key)
        self.follower = TableFollower(self.feed, self.recorder, site)
        self._own_words = bot_words
        self._site_words: tuple[str, ...] = ()
        self._bots = BotFilter(bot_words)
        self._own_spellings: OrderedDict[str, None] = OrderedDict()
        self._requests = self._redirects = self._hits = 0
        self._timed, self._timed_s = 0, 0.0

    def answer(self, path: str, query: str, raw_path: bytes | None = None) -> RedirectAnswer | None:
        """The answer to a GET or HEAD; None lets the application answer, also when nothing is loaded."""
        self._requests += 1
        if not self._requests & _TIMED:
            begun = perf_counter()
            found = self._answer(path, query, raw_path)
            self._timed_s += perf_counter() - begun
            self._timed += 1
            return found
        return self._answer(path, query, raw_path)

    def _answer(self, path: str, query: str, raw_path: bytes | None) -> RedirectAnswer | None:
        table = self.follower.table
        if table is None:
            return None
        try:
            found = table.answer(path, query, raw_path)
        except Exception:  # a visitor must get the page, whatever is wrong with a redirect
            return None
        if found is None:
            return None
        if found.key is not None:
            self._hits += 1
            self.recorder.hit(found.key)
        elif path in self._own_spellings:
            return None
        self._redirects += 1
        return found

    def viewed(self, path: str, content_type: bytes, agent: bytes) -> None:
        """The application answered 200 to a GET. Only pages that people see count (BRU-04)."""
        if content_type[:9].lower() == b"text/html" and not self._is_bot(agent):
            self.recorder.view(path)

    def _is_bot(self, agent: bytes) -> bool:
        """By the words of the middleware and those of the settings of the site, which may change."""
        table = self.follower.table
        if table is not None and table.bot_words != self._site_words:
            self._site_words = table.bot_words
            self._bots = BotFilter((*self._own_words, *table.bot_words))
        return self._bots.is_bot(agent)

    def missed(self, path: str, referrer: bytes) -> None:
        """The application answered 404."""
        self.recorder.miss(path, referrer.decode("latin-1"))

    def redirected(self, path: str, to: bytes) -> None:
        """The application redirected. If it insists on another spelling, that spelling is left alone.

        Otherwise a router that appends slashes and a site that strips them would send a visitor in a circle.
        """
        table = self.follower.table
        if table is None:
            return
        try:
            wanted = decode(urlsplit(to.decode("latin-1")).path)
        except (ValueError, InvalidInput):
            return
        if wanted != path and table.rules.key(wanted) == path:
            self._own_spellings[wanted] = None
            if len(self._own_spellings) > MOST_OWN_SPELLINGS:
                self._own_spellings.popitem(last=False)

    def figures(self) -> MiddlewareFigures:
        """The figures since the start."""
        table = self.follower.table
        return MiddlewareFigures(
            self._requests,
            self._redirects,
            self._hits,
            self._requests - self._hits,
            self._timed_s / self._timed * 1e6 if self._timed else None,
            self.recorder.dropped,
            0 if table is None else len(table),
            None if table is None else table.version,
            self.follower.error,
        )


def _feed(site: str, database_url: str | None, api_url: str | None, key: str | None) -> TableFeed:
    """The feed of a middleware. Each is imported only where it is used."""
    if (database_url is None) == (api_url is None):
        raise Misconfigured("give either database_url or api_url")
    if api_url is not None:
        from outrider.redirects.api_feed import ApiFeed

        if not key:
            raise Misconfigured("api_url needs the key of the site: `outrider site key` makes one")
        return ApiFeed(api_url, site, key)
    from outrider.redirects.database_feed import DatabaseFeed

    return DatabaseFeed(database_url or "", site)
