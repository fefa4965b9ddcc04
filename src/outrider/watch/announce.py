"""From the addresses a channel names to pages ready for the queue. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from hashlib import blake2b

from outrider.errors import InvalidUrl
from outrider.feeds import Feed
from outrider.urls import DEFAULT_RULES, Rules, key_of, normalize
from outrider.watch.model import Announced, Way

MOST_ENTRIES = 500  # of one feed


def announced(
    named: Iterable[tuple[str | None, Way, datetime | None, datetime | None]],
    base: str,
    skipped: Counter[str],
    rules: Rules,
) -> Iterator[Announced]:
    """Address, way, publication and change in; pages out, each once. What cannot be crawled is counted.

    `rules` are the source's own: announced and linked, a page must have the same spelling.
    """
    taken: set[str] = set()
    for href, way, published_at, changed_at in named:
        if not href:
            skipped["no_link"] += 1
            continue
        try:
            url = normalize(href, base, rules)
        except InvalidUrl:
            skipped["invalid"] += 1
            continue
        if url not in taken:
            taken.add(url)
            yield Announced(key_of(url), url, way, published_at, changed_at)


def pages_of_feed(
    feed: Feed, base: str, way: Way, rules: Rules = DEFAULT_RULES
) -> tuple[list[Announced], Counter[str]]:
    """The pages a feed names, the first few hundred of them, and what was skipped."""
    skipped: Counter[str] = Counter()
    named = (
        (entry.url, way, entry.published_at or entry.updated_at, entry.updated_at)
        for entry in feed.entries[:MOST_ENTRIES]
    )
    return list(announced(named, base, skipped, rules)), skipped


def print_of(parts: Iterable[str]) -> str:
    """A short name for a content, the same only for the same content."""
    digest = blake2b(digest_size=12)
    for part in parts:
        digest.update(part.encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()
