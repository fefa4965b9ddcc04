"""From the addresses a channel names to pages ready for the queue. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime, time

from outrider.crawl.admission.skip_reason import SkipReason
from outrider.errors import InvalidUrl
from outrider.feeds import Feed
from outrider.frontier.model import Submission, UrlOrigin
from outrider.frontier.priority import priority
from outrider.urls import DEFAULT_RULES, Rules, UrlKey, host_of, key_of, normalize
from outrider.watch.channels.model import Announced, DiscoveryMethod, Sighting

MOST_ENTRIES = 500  # of one feed


def announced(
    named: Iterable[tuple[str | None, DiscoveryMethod, datetime | None, datetime | None]],
    base: str,
    skipped: Counter[SkipReason],
    rules: Rules,
) -> Iterator[Announced]:
    """Address, way, publication and change in; pages out, each once. What cannot be crawled is counted.

    `rules` are the source's own: announced and linked, a page must have the same spelling.
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
            yield Announced(key_of(url), url, way, published_at, changed_at)


def pages_of_feed(
    feed: Feed, base: str, way: DiscoveryMethod, rules: Rules = DEFAULT_RULES
) -> tuple[list[Announced], Counter[SkipReason]]:
    """The pages a feed names, the first few hundred of them, and what was skipped."""
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
    page: Announced, source_id: int, base: int, origin: UrlOrigin, parent: UrlKey
) -> Submission:
    """The page as the queue takes it; `base` is the priority of its source, `parent` the channel's entry."""
    return Submission(
        key=page.key,
        url=page.url,
        host=host_of(page.url),
        priority=priority(base, origin, 0),
        source_id=source_id,
        origin=origin,
        parent=parent,
    )


def sightings_of(pages: Iterable[Announced]) -> list[Sighting]:
    return [Sighting(page.key, page.way, page.published_at) for page in pages]


def dated_by_change(page: Announced) -> Announced:
    """A new page of a sitemap is as old as its last change, as far as anybody knows; a day is no moment."""
    if page.published_at is not None or page.changed_at is None or page.changed_at.time() == time():
        return page
    return replace(page, published_at=page.changed_at)
