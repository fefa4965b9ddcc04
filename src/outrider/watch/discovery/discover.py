"""Search a site for its name, its feeds and its sitemaps. A channel must parse and have entries.

feeds: start page → <link rel=alternate> → links that look like feeds → common paths
sitemaps: robots.txt → common paths
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence

from outrider.crawl.decide import TOO_MANY_REQUESTS, health_of
from outrider.crawl.politeness.fetch_result import FetchEnding, FetchResult, NoRequestReason
from outrider.errors import Conflict, InvalidFeed, InvalidUrl
from outrider.feeds import parse_feed, parse_sitemap
from outrider.feeds.candidates import (
    FEED_PATHS,
    SITEMAP_INDEX_PATH,
    SITEMAP_PATHS,
    ChannelCandidate,
    belongs_to,
    read_front,
    usual_feeds,
    usual_sitemaps,
)
from outrider.fetch import Failure
from outrider.frontier.model import EntryKind
from outrider.hosts.model import Health
from outrider.urls import normalize
from outrider.watch.channels.found import DiscoveryResult, FoundChannel
from outrider.watch.channels.model import FoundBy
from outrider.watch.polling.poll_errors import FORBIDDEN

MOST_PROBES = 8  # requests for feeds that the start page links to
MOST_FEEDS = 3
MOST_SITEMAPS = 5
MISSING = frozenset({404, 410})

FetchOne = Callable[[str], Awaitable[FetchResult]]


async def find_channels(fetch_one: FetchOne, url: str) -> DiscoveryResult:
    """Fetch a site's start page, then as few candidates as needed. `fetch_one` obeys robots.txt and delays.

    Raises Conflict if the host is busy when the start page is requested. A later Conflict ends the search.
    """
    found = DiscoveryResult(url)
    front = await fetch_one(url)
    if not front.is_ok:
        found.notes.append(f"{url} could not be read: {_why(front)}")
        found.is_down = _is_down(front)
        return found
    found.is_reached, found.arrived_at = True, normalize(front.url)
    page = read_front(front.body, front.url, front.headers.get("content-type"))
    found.name = page.name
    try:
        await _find_feeds(found, fetch_one, front, page.candidates)
        await _find_sitemaps(found, fetch_one, front)
    except Conflict as resting:
        found.is_down = True
        found.notes.append(str(resting))
    return found


async def _find_feeds(
    found: DiscoveryResult, fetch_one: FetchOne, front: FetchResult, pointed_to: Sequence[ChannelCandidate]
) -> None:
    if (itself := _as_feed(front, ChannelCandidate(front.url, "manual"))) is not None:
        found.feeds.append(itself)  # the given address is a feed
        return
    for candidate in pointed_to[:MOST_PROBES]:
        if len(found.feeds) < MOST_FEEDS:
            await _probe(found, fetch_one, candidate, _as_feed, found.feeds)
    if found.is_proven:
        return
    found.notes.append(
        "none of the feeds the page points to could be used" if pointed_to else "the page points to no feed"
    )
    tried = {candidate.url for candidate in pointed_to[:MOST_PROBES]}
    for candidate in usual_feeds(front.url):
        if not found.is_proven and candidate.url not in tried:
            await _probe(found, fetch_one, candidate, _as_feed, found.feeds)
    if not found.is_proven:
        found.notes.append(f"no feed at {', '.join(FEED_PATHS)} either")


async def _find_sitemaps(found: DiscoveryResult, fetch_one: FetchOne, front: FetchResult) -> None:
    for candidate in declared_sitemaps(_sitemap_lines(front), front.url):
        if len(found.sitemaps) < MOST_SITEMAPS:
            await _probe(found, fetch_one, candidate, _as_sitemap, found.sitemaps)
    if found.sitemaps:
        return
    for candidate in usual_sitemaps(front.url):
        if not (found.sitemaps and candidate.url.endswith(SITEMAP_INDEX_PATH)):
            await _probe(found, fetch_one, candidate, _as_sitemap, found.sitemaps)
    if not found.sitemaps:
        found.notes.append(f"no sitemap in robots.txt, none at {', '.join(SITEMAP_PATHS)}")


def declared_sitemaps(lines: Iterable[str], site: str) -> list[ChannelCandidate]:
    """The Sitemap lines of a robots.txt that are addresses of the same site (ROB-15)."""
    found: dict[str, None] = {}
    for line in lines:
        try:
            url = normalize(line, site)
        except InvalidUrl:
            continue
        if belongs_to(url, site):
            found[url] = None
    return [ChannelCandidate(url, "robots") for url in list(found)[: 4 * MOST_SITEMAPS]]


async def _probe(
    found: DiscoveryResult,
    fetch_one: FetchOne,
    candidate: ChannelCandidate,
    understand: Callable[[FetchResult, ChannelCandidate], FoundChannel | None],
    into: list[FoundChannel],
) -> None:
    """Fetch a candidate. Keep a channel, and keep a failed candidate with a doubt if it may work later."""
    answer = await fetch_one(candidate.url)
    is_guess = candidate.found_by == FoundBy.PATH
    if answer.reason == Failure.TOO_LARGE and into is found.sitemaps:
        # Sitemaps may be larger than pages. A poll reads the body from a file and decides.
        channel = _found(candidate, EntryKind.SITEMAP, 0, doubt="large, and read when it is polled")
    elif answer.is_ok:
        channel = understand(answer, candidate)
        if channel is None and not is_guess:
            found.notes.append(f"{candidate.url} is no feed or sitemap with entries")
    elif is_guess or not (_is_down(answer) or answer.status in FORBIDDEN):
        channel = None
        if answer.status not in MISSING or not is_guess:
            found.notes.append(f"{candidate.url} could not be read: {_why(answer)}")
    else:
        kind = EntryKind.FEED if into is found.feeds else EntryKind.SITEMAP
        channel = _found(candidate, kind, 0, doubt=f"{_why(answer)}; it is asked again")
    if channel is not None and all(channel.url != known.url for known in into):
        into.append(channel)


def _is_down(answer: FetchResult) -> bool:
    """Whether the server failed, for this request or for robots.txt."""
    if answer.outcome is None:
        return answer.ending is FetchEnding.FAILED or answer.reason == NoRequestReason.ROBOTS_UNREACHABLE
    return answer.status == TOO_MANY_REQUESTS or health_of(answer.outcome) is Health.BAD


def _why(answer: FetchResult) -> str:
    status = f"it answered {answer.status}" if answer.status else answer.reason
    return answer.message or status or "no answer"


def _as_feed(answer: FetchResult, candidate: ChannelCandidate) -> FoundChannel | None:
    try:
        feed = parse_feed(answer.body, answer.url, answer.headers.get("content-type"))
    except InvalidFeed:
        return None
    pages = [entry.url for entry in feed.entries if entry.url]
    return (
        _found(candidate, EntryKind.FEED, len(pages), feed.title, next(iter(pages), None)) if pages else None
    )


def _as_sitemap(answer: FetchResult, candidate: ChannelCandidate) -> FoundChannel | None:
    try:
        sitemap = parse_sitemap(answer.body, answer.url, answer.headers.get("content-type"))
    except InvalidFeed:
        return None
    return _found(candidate, EntryKind.SITEMAP, len(sitemap.entries)) if sitemap.entries else None


def _found(
    candidate: ChannelCandidate,
    kind: EntryKind,
    items: int,
    title: str | None = None,
    sample: str | None = None,
    doubt: str | None = None,
) -> FoundChannel | None:
    try:
        url = normalize(candidate.url)
    except InvalidUrl:
        return None
    return FoundChannel(url, kind, FoundBy(candidate.found_by), items, title, sample, doubt)


def _sitemap_lines(front: FetchResult) -> list[str]:
    rules = (file.rules for file in front.robots.values())
    return [line for each in rules if each is not None for line in each.sitemaps]
