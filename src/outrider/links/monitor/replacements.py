"""Where a page may be now, from what the crawler knows. Each suggestion needs a person who confirms it."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from urllib.parse import unquote

import asyncpg

from outrider.documents.store import DocumentStore
from outrider.errors import InvalidUrl
from outrider.fetch.hops import PERMANENT_STATUSES
from outrider.frontier.paths import pages_of_host, redirect_targets_of
from outrider.frontier.redirect_hops import redirects_of
from outrider.urls import host_id_of, host_of, key_of, normalize, path_of

MOST_SUGGESTIONS = 5
MOST_PAGES = 2_000  # of a host whose addresses are compared
ALIKE = 0.75  # similarity of two last parts of a path
SHORTEST_SLUG = 5
LONGEST_SLUG = 150  # characters that are compared
LONGEST_TITLE = 150  # characters that are compared
MOST_COMPARED = 50  # titles, letter by letter


class SuggestedBy(StrEnum):
    """What a suggestion rests on."""

    PERMANENT_REDIRECT = "permanent_redirect"
    ALIAS = "alias"
    SAME_CONTENT = "same_content"
    CANONICAL = "canonical"
    SEEN_REDIRECT = "seen_redirect"
    NEAR_DUPLICATE = "near_duplicate"
    SIMILAR_PATH = "similar_path"
    SIMILAR_TITLE = "similar_title"


_CONFIDENCE = {
    SuggestedBy.PERMANENT_REDIRECT: 0.95,
    SuggestedBy.ALIAS: 0.9,
    SuggestedBy.SAME_CONTENT: 0.9,
    SuggestedBy.CANONICAL: 0.8,
    SuggestedBy.SEEN_REDIRECT: 0.7,
    SuggestedBy.NEAR_DUPLICATE: 0.7,
    SuggestedBy.SIMILAR_PATH: 0.6,
    SuggestedBy.SIMILAR_TITLE: 0.6,
}


@dataclass(frozen=True, slots=True)
class Replacement:
    """An address that may replace a dead one."""

    url: str
    confidence: float
    by: SuggestedBy
    reason: str


async def replacements_for(
    db: asyncpg.Connection, url: str, moved_to: str | None = None
) -> list[Replacement]:
    """Suggestions for an address, the most certain first; `moved_to` is the target of the last check."""
    key = key_of(normalize(url))
    found: list[Replacement] = []
    if moved_to:
        found.append(_suggestion(moved_to, SuggestedBy.PERMANENT_REDIRECT, "the server redirects there"))
    aliases = await redirect_targets_of(db, key)
    if aliases:
        found.append(_suggestion(aliases[-1], SuggestedBy.ALIAS, "a crawl found the page there"))
    for hop in await redirects_of(db, key):
        if hop.status in PERMANENT_STATUSES:
            reason = f"the server redirected there on {hop.last_seen_at:%Y-%m-%d}"
            found.append(_suggestion(hop.to_url, SuggestedBy.SEEN_REDIRECT, reason))
    documents = DocumentStore()
    document = await documents.find(db, key)
    if document is not None:
        if document["canonical_url"]:
            reason = "the page named it as its canonical address"
            found.append(_suggestion(document["canonical_url"], SuggestedBy.CANONICAL, reason))
        for copy, is_near in await documents.same_content(db, key, MOST_SUGGESTIONS):
            by = SuggestedBy.NEAR_DUPLICATE if is_near else SuggestedBy.SAME_CONTENT
            reason = "a page with nearly this text" if is_near else "a page with this text"
            found.append(_suggestion(copy, by, reason))
    host_id = host_id_of(host_of(normalize(url)))
    found += similar_paths(normalize(url), await pages_of_host(db, host_id, MOST_PAGES))
    title = (document["title"] if document is not None else None) or _words(_slug(url))
    found += similar_titles(title, await documents.titles_of_host(db, host_id, MOST_PAGES))
    return best(found, url)


def similar_paths(url: str, pages: Iterable[str]) -> list[Replacement]:
    """Pages whose last part of the path is like that of the address."""
    slug = _slug(url)[:LONGEST_SLUG]
    if len(slug) < SHORTEST_SLUG:
        return []
    matcher = SequenceMatcher(None, b=slug)
    found = []
    for page in pages:
        if page == url:
            continue
        matcher.set_seq1(_slug(page)[:LONGEST_SLUG])
        if matcher.real_quick_ratio() < ALIKE or matcher.quick_ratio() < ALIKE:
            continue  # these are bounds of the ratio, which is slow
        alike = matcher.ratio()
        if alike >= ALIKE:
            confidence = round(_CONFIDENCE[SuggestedBy.SIMILAR_PATH] * alike, 2)
            reason = "a page of the same host with a similar address"
            found.append(Replacement(page, confidence, SuggestedBy.SIMILAR_PATH, reason))
    return sorted(found, key=lambda each: -each.confidence)[:MOST_SUGGESTIONS]


def similar_titles(title: str, pages: Sequence[tuple[str, str]]) -> list[Replacement]:
    """Pages whose title is like that of the page that is gone. A title of several pages says nothing."""
    wanted = title.lower()[:LONGEST_TITLE]
    if len(wanted) < SHORTEST_SLUG:
        return []
    titles = [(page, text.lower()[:LONGEST_TITLE]) for page, text in pages]
    times = Counter(text for _, text in titles)
    # A closer look is slow, so only titles with the most words in common get one.
    likely = [(_share(wanted, text), page, text) for page, text in titles if times[text] == 1]
    found = []
    for _, page, text in sorted(likely, reverse=True)[:MOST_COMPARED]:
        alike = SequenceMatcher(None, wanted, text).ratio()
        if alike >= ALIKE:
            confidence = round(_CONFIDENCE[SuggestedBy.SIMILAR_TITLE] * alike, 2)
            reason = "a page of the same host with a similar title"
            found.append(Replacement(page, confidence, SuggestedBy.SIMILAR_TITLE, reason))
    return sorted(found, key=lambda each: -each.confidence)[:MOST_SUGGESTIONS]


def best(found: Sequence[Replacement], url: str) -> list[Replacement]:
    """The best suggestion for each address, the most certain first; never the address itself."""
    kept: dict[str, Replacement] = {}
    for each in sorted(found, key=lambda each: -each.confidence):
        if _same(each.url) not in (_same(url), *map(_same, kept)):
            kept[each.url] = each
    return list(kept.values())[:MOST_SUGGESTIONS]


def _suggestion(url: str, by: SuggestedBy, reason: str) -> Replacement:
    return Replacement(url, _CONFIDENCE[by], by, reason)


def _slug(url: str) -> str:
    return unquote(path_of(url).partition("?")[0]).rstrip("/").rpartition("/")[2].lower()


def _share(one: str, other: str) -> float:
    """Which share of the words of two titles begin alike."""
    first, second = ({word[:4] for word in text.split()} for text in (one, other))
    return len(first & second) / max(len(first | second), 1)


def _words(slug: str) -> str:
    """The words of a slug, to compare them with a title."""
    return " ".join(re.split(r"[-_.+\s]+", slug.rpartition(".")[0] or slug)).strip()


def _same(url: str) -> str:
    try:
        return normalize(url)
    except InvalidUrl:
        return url
