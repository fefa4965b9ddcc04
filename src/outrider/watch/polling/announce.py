"""Turns the URLs of a channel into pages for the queue. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime, time

from outrider.crawl.admission.skip_reason import SkipReason
from outrider.errors import InvalidUrl
from outrider.feeds import Feed
from outrider.frontier.model import NO_RUN, Submission, UrlOrigin
from outrider.frontier.priority import priority
from outrider.urls import DEFAULT_RULES, Rules, UrlKey, host_of, key_of, normalize
from outrider.watch.channels.model import AnnouncedPage, DiscoveryMethod, Sighting

MOST_ENTRIES = 500  # of one feed


def announced(
    named: Iterable[tuple[str | None, DiscoveryMethod, datetime | None, datetime | None]],
    base: str,
    skipped: Counter[SkipReason],
    rules: Rules,
) -> Iterator[AnnouncedPage]:
    """Turn (URL, method, published, changed) into pages, each once. URLs that cannot be crawled are counted.

    `rules` are those of the source: an announced URL and a linked URL must normalise to the same URL.
    """
    taken: set[str] = set()
    for href, way, published_at, changed_at in named:
        if not href:
            skipped[SkipReason.NO_LINK] += 1
            continue
        try:
            url = normalize(href, base, rules)
        except InvalidUrl:
            skipped[SkipReason.INVALID] += 1
            continue
        if url not in taken:
            taken.add(url)
            yield AnnouncedPage(key_of(url), url, way, published_at, changed_at)


def pages_of_feed(
    feed: Feed, base: str, way: DiscoveryMethod, rules: Rules = DEFAULT_RULES
) -> tuple[list[AnnouncedPage], Counter[SkipReason]]:
    """The pages of the first `MOST_ENTRIES` entries of a feed, and the counts of skipped entries."""
    skipped: Counter[SkipReason] = Counter()
    named = (
        (entry.url, way, entry.published_at or entry.updated_at, entry.updated_at)
        for entry in feed.entries[:MOST_ENTRIES]
    )
    pages = list(announced(named, base, skipped, rules))
    if len(feed.entries) > MOST_ENTRIES:
        skipped[SkipReason.TOO_MANY] = len(feed.entries) - MOST_ENTRIES
    return pages, skipped


def submission_of(
    page: AnnouncedPage, source_id: int, base: int, origin: UrlOrigin, parent: UrlKey, run_id: int = NO_RUN
) -> Submission:
    """The submission of a page; `base` is the priority of its source, `parent` the channel's entry."""
    return Submission(
        key=page.key,
        url=page.url,
        host=host_of(page.url),
        priority=priority(base, origin, 0),
        source_id=source_id,
        origin=origin,
        parent=parent,
        run_id=run_id,
    )


def sightings_of(pages: Iterable[AnnouncedPage]) -> list[Sighting]:
    return [Sighting(page.key, page.way, page.published_at) for page in pages]


def dated_by_change(page: AnnouncedPage) -> AnnouncedPage:
    """Use lastmod as the publication time of a new sitemap page, unless lastmod is a date without a time."""
    if page.published_at is not None or page.changed_at is None or page.changed_at.time() == time():
        return page
    return replace(page, published_at=page.changed_at)
