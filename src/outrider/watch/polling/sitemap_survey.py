"""Collects the entries of a sitemap slice by slice, and keeps a bounded part of them. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from heapq import nsmallest
from itertools import islice

from outrider.crawl.admission.skip_reason import SkipReason
from outrider.errors import InvalidUrl
from outrider.feeds import SitemapEntry
from outrider.feeds.candidates import belongs_to
from outrider.frontier.model import Entry, EntryKind
from outrider.urls import Rules, host_of, normalize
from outrider.watch.channels.model import AnnouncedPage, Channel, DiscoveryMethod, FoundBy, NewChannel
from outrider.watch.polling.announce import announced
from outrider.watch.polling.fingerprint import Fingerprint
from outrider.watch.polling.lastmod import ENOUGH, WINDOW, choose, is_stamped

SLICE = 100  # entries read without yielding to the event loop: a few milliseconds
DEEPEST = 3  # indexes above a sitemap
MOST_CHILDREN = 500
MOST_CLAIMS = 1_000


class SitemapSurvey:
    """Counts the entries of any sitemap, digests them, and detects stamped dates."""

    def __init__(self, now: datetime) -> None:
        self.items = 0
        self.skipped: Counter[SkipReason] = Counter()
        self._now = now
        self._fingerprint = Fingerprint()
        self._oldest: list[datetime] = []

    @property
    def fingerprint(self) -> str:
        return str(self._fingerprint)

    @property
    def is_stamped(self) -> bool:
        """Whether every lastmod is the time of the request. The oldest few dates decide."""
        return is_stamped(self._oldest, self._now)

    def _next(self, entries: Iterator[SitemapEntry]) -> list[SitemapEntry]:
        """The next slice, without alternate languages, which may be hundreds a page."""
        taken = [replace(entry, alternates=()) for entry in islice(entries, SLICE)]
        for entry in taken:
            self._fingerprint.add(f"{entry.url} {entry.lastmod} {entry.published_at}")
        self.items += len(taken)
        dates = (entry.lastmod for entry in taken if entry.lastmod is not None)
        self._oldest = nsmallest(ENOUGH, (*self._oldest, *dates))
        return taken


class UrlsetSurvey(SitemapSurvey):
    """Pages: keeps the latest changes, and returns the undated pages of each slice."""

    def __init__(self, channel: Channel, now: datetime, rules: Rules, *, is_trusted: bool) -> None:
        super().__init__(now)
        self._channel = channel
        self._rules = rules
        self._is_trusted = is_trusted
        self._dated: Sequence[SitemapEntry] = ()
        self._claims: list[AnnouncedPage] = []
        self._is_own: dict[str, bool] = {}

    def take(self, entries: Iterator[SitemapEntry]) -> list[AnnouncedPage] | None:
        """Read a slice and return its undated pages, or None at the end."""
        taken = self._next(entries)
        if not taken:
            return None
        # The entries kept so far compete with the new slice for the latest ones.
        choice = choose(
            [*self._dated, *taken],
            self._now,
            is_trusted=self._is_trusted,
            backfill=self._channel.backfill,
        )
        self._dated = choice.dated
        if choice.old:
            self.skipped[SkipReason.OLD] += choice.old
        undated = self._own(choice.undated)
        if not self._is_trusted and len(self._claims) < MOST_CLAIMS:
            self._claims += [page for page in undated if page.changed_at is not None]
        return undated

    def dated(self) -> list[AnnouncedPage]:
        """The recently changed pages. Call it after the last slice."""
        return self._own(self._dated)

    def claims(self, dated: Sequence[AnnouncedPage]) -> Sequence[AnnouncedPage]:
        """Pages whose dates show whether lastmod is accurate."""
        return dated if self._is_trusted else self._claims[:MOST_CLAIMS]

    def _own(self, entries: Iterable[SitemapEntry]) -> list[AnnouncedPage]:
        """The pages on the sitemap's own site. Pages of other sites are skipped."""
        named = (
            (
                entry.url,
                DiscoveryMethod.NEWS_SITEMAP if entry.published_at else DiscoveryMethod.SITEMAP,
                entry.published_at,
                entry.lastmod,
            )
            for entry in entries
        )
        own = []
        for page in announced(named, self._channel.url, self.skipped, self._rules):
            if self._belongs(page.url):
                own.append(page)
            else:
                self.skipped[SkipReason.FOREIGN] += 1
        return own

    def _belongs(self, url: str) -> bool:
        host, channel = host_of(url), self._channel
        known = self._is_own.get(host)
        if known is None:
            known = any(belongs_to(url, home) for home in (channel.url, channel.source_url or channel.url))
            if len(self._is_own) < SLICE:
                self._is_own[host] = known
        return known


class IndexSurvey(SitemapSurvey):
    """Sitemaps of an index: each becomes a channel, except those that have not changed lately."""

    def __init__(self, channel: Channel, entry: Entry, now: datetime, interval_s: float) -> None:
        super().__init__(now)
        self._channel = channel
        self._entry = entry
        self._interval_s = interval_s
        self._children: dict[str, NewChannel] = {}

    def take(self, entries: Iterator[SitemapEntry]) -> bool:
        """Read a slice. False at the end."""
        taken = self._next(entries)
        for each in taken:
            if each.lastmod and each.lastmod < self._now - WINDOW and not self._channel.backfill:
                self.skipped[SkipReason.OLD] += 1
            else:
                self._add(each)
        return bool(taken)

    def children(self) -> list[NewChannel]:
        """The listed sitemaps, without their dates if these are stamped. Call it after the last slice."""
        found = self._children.values()
        return [replace(child, changed_at=None) for child in found] if self.is_stamped else list(found)

    def _add(self, each: SitemapEntry) -> None:
        channel, entry = self._channel, self._entry
        try:
            url = normalize(each.url, channel.url)
        except InvalidUrl:
            self.skipped[SkipReason.INVALID] += 1
            return
        if url == entry.url:
            self.skipped[SkipReason.ITSELF] += 1
        elif entry.depth >= DEEPEST or len(self._children) >= MOST_CHILDREN:
            self.skipped[SkipReason.TOO_MANY_SITEMAPS] += 1
        elif not belongs_to(url, channel.url):
            self.skipped[SkipReason.FOREIGN] += 1
        else:
            self._children[url] = NewChannel(
                url,
                EntryKind.SITEMAP,
                FoundBy.INDEX,
                parent_id=channel.channel_id,
                depth=entry.depth + 1,
                interval_s=self._interval_s,
                changed_at=each.lastmod,
            )
