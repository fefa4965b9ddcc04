"""Look around a site for its name, its feeds and its sitemaps; only what parses and has entries counts.

start page → <link rel=alternate> → links that look like feeds → usual paths
robots.txt → usual paths of sitemaps
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field

from outrider.crawl.decide import health_of
from outrider.crawl.single import Single
from outrider.errors import InvalidFeed, InvalidUrl
from outrider.feeds import parse_feed, parse_sitemap
from outrider.feeds.candidates import Candidate, belongs_to, read_front, usual_feeds, usual_sitemaps
from outrider.fetch import Failure
from outrider.frontier.model import Kind
from outrider.hosts.model import Health
from outrider.urls import normalize
from outrider.watch.model import FoundBy, NewChannel

MOST_PROBES = 8  # of feeds a page points to
MOST_FEEDS = 3
MOST_SITEMAPS = 5

FetchOne = Callable[[str], Awaitable[Single]]


@dataclass(frozen=True, slots=True)
class FoundChannel:
    """A feed or sitemap that was fetched and has entries; `items` 0: too large to look at by the way."""

    url: str
    kind: Kind
    found_by: FoundBy
    items: int
    title: str | None = None
    sample: str | None = None  # one of the pages it announces

    @property
    def channel(self) -> NewChannel:
        return NewChannel(self.url, self.kind, self.found_by, is_candidate=not self.items)


@dataclass(slots=True)
class Found:
    """What a look around a site brought. `notes` say in sentences what was tried and what came of it."""

    url: str
    is_reached: bool = False
    is_down: bool = False  # no answer worth the name: it says nothing about the site
    name: str | None = None
    feeds: list[FoundChannel] = field(default_factory=list)
    sitemaps: list[FoundChannel] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def sample(self) -> str | None:
        """An article, where a feed names one."""
        return next((channel.sample for channel in self.feeds if channel.sample), None)

    @property
    def channels(self) -> list[NewChannel]:
        return [found.channel for found in (*self.feeds, *self.sitemaps)]


async def look_around(fetch_one: FetchOne, url: str) -> Found:
    """Ask a site's start page, and then as little as needed. `fetch_one` keeps robots.txt and the pace."""
    found = Found(url)
    front = await fetch_one(url)
    if not front.is_ok:
        found.notes.append(f"{url} could not be read: {front.message or front.reason}")
        found.is_down = front.outcome is not None and health_of(front.outcome) is Health.BAD
        return found
    found.is_reached = True
    page = read_front(front.body, front.url, front.headers.get("content-type"))
    found.name = page.name
    await _find_feeds(found, fetch_one, front, page.candidates)
    await _find_sitemaps(found, fetch_one, front)
    return found


async def _find_feeds(
    found: Found, fetch_one: FetchOne, front: Single, pointed_to: Sequence[Candidate]
) -> None:
    if (itself := _as_feed(front, Candidate(front.url, "manual"))) is not None:
        found.feeds.append(itself)  # the address given is a feed already
        return
    for candidate in pointed_to[:MOST_PROBES]:
        if len(found.feeds) < MOST_FEEDS:
            await _probe(found, fetch_one, candidate, _as_feed, found.feeds)
    if found.feeds:
        return
    found.notes.append(
        "none of the feeds the page points to could be used" if pointed_to else "the page points to no feed"
    )
    for candidate in usual_feeds(front.url):
        if not found.feeds:
            await _probe(found, fetch_one, candidate, _as_feed, found.feeds)
    if not found.feeds:
        found.notes.append("no feed under the usual addresses either")


async def _find_sitemaps(found: Found, fetch_one: FetchOne, front: Single) -> None:
    for candidate in declared_sitemaps(_sitemap_lines(front), front.url):
        if len(found.sitemaps) < MOST_SITEMAPS:
            await _probe(found, fetch_one, candidate, _as_sitemap, found.sitemaps)
    if found.sitemaps:
        return
    for candidate in usual_sitemaps(front.url):
        await _probe(found, fetch_one, candidate, _as_sitemap, found.sitemaps)
    if not found.sitemaps:
        found.notes.append("no sitemap in robots.txt or under the usual addresses")


def declared_sitemaps(lines: Iterable[str], site: str) -> list[Candidate]:
    """The Sitemap lines of a robots.txt that are addresses of the same site (ROB-15)."""
    found: dict[str, None] = {}
    for line in lines:
        try:
            url = normalize(line, site)
        except InvalidUrl:
            continue
        if belongs_to(url, site):
            found[url] = None
    return [Candidate(url, "robots") for url in list(found)[: 4 * MOST_SITEMAPS]]


async def _probe(
    found: Found,
    fetch_one: FetchOne,
    candidate: Candidate,
    understand: Callable[[Single, Candidate], FoundChannel | None],
    into: list[FoundChannel],
) -> None:
    """Fetch a candidate and keep it if it is one."""
    answer = await fetch_one(candidate.url)
    if answer.reason == Failure.TOO_LARGE and into is found.sitemaps:
        # Sitemaps may be larger than pages: a poll, which reads them from a file, will tell.
        into.append(FoundChannel(candidate.url, Kind.SITEMAP, FoundBy(candidate.found_by), 0))
    elif not answer.is_ok:
        found.notes.append(f"{candidate.url}: {answer.reason}")
    elif (channel := understand(answer, candidate)) is None:
        found.notes.append(f"{candidate.url}: not a feed or sitemap with entries")
    elif all(channel.url != known.url for known in into):
        into.append(channel)


def _as_feed(answer: Single, candidate: Candidate) -> FoundChannel | None:
    try:
        feed = parse_feed(answer.body, answer.url, answer.headers.get("content-type"))
    except InvalidFeed:
        return None
    pages = [entry.url for entry in feed.entries if entry.url]
    return _found(candidate, Kind.FEED, len(pages), feed.title, next(iter(pages), None))


def _as_sitemap(answer: Single, candidate: Candidate) -> FoundChannel | None:
    try:
        sitemap = parse_sitemap(answer.body, answer.url, answer.headers.get("content-type"))
    except InvalidFeed:
        return None
    return _found(candidate, Kind.SITEMAP, len(sitemap.entries))


def _found(
    candidate: Candidate, kind: Kind, items: int, title: str | None = None, sample: str | None = None
) -> FoundChannel | None:
    try:
        url = normalize(candidate.url)
    except InvalidUrl:
        return None
    return FoundChannel(url, kind, FoundBy(candidate.found_by), items, title, sample) if items else None


def _sitemap_lines(front: Single) -> list[str]:
    rules = (file.rules for file in front.robots.values())
    return [line for each in rules if each is not None for line in each.sitemaps]
