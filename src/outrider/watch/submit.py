"""URLs that an operator submits: each is queued for a source, and each gets a result.

A URL without a source belongs to the source of its host, or else to `adhoc` (SRC-18).
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import asyncpg

from outrider.frontier.model import Submission, SubmissionResult, UrlOrigin
from outrider.frontier.priority import parse_priority
from outrider.frontier.store import FrontierStore
from outrider.sources.model import ADHOC
from outrider.sources.owners import UrlOwner, owner_by_id
from outrider.sources.store import SourceStore
from outrider.urls import host_of, key_of, normalize

AT_ONCE = 1_000  # URLs in one statement


@dataclass(frozen=True, slots=True)
class SubmittedUrl:
    """The result of one URL."""

    url: str  # normalised by the rules of its source
    source: str
    result: SubmissionResult
    held: bool  # the source is disabled or held, so its queued URLs wait


async def submit_urls(
    db: asyncpg.Connection,
    frontier: FrontierStore,
    urls: Collection[str],
    source_id: int | None = None,
    priority: int | str | None = None,
    origin: UrlOrigin = UrlOrigin.MANUAL,
) -> list[SubmittedUrl]:
    """Queue URLs for a source, or for the source of their host; all of them or none, in one transaction.

    New URLs are inserted. A queued URL rises to a higher priority, and a visit that was planned for later
    happens at once: both are `raised`. A fetched URL, a dead URL and an alias stay unchanged (FRO-05).
    Raises InvalidUrl for an invalid web address, InvalidInput for a priority that is not from 1 to 10
    (the default is 5, PRI-09), NotFound if there is no such source.
    """
    found = await submit_each(db, frontier, urls, source_id, priority, origin)
    return list({each.url: each for each in reversed(found.values())}.values())[::-1]


async def submit_each(
    db: asyncpg.Connection,
    frontier: FrontierStore,
    urls: Collection[str],
    source_id: int | None = None,
    priority: int | str | None = None,
    origin: UrlOrigin = UrlOrigin.MANUAL,
) -> dict[str, SubmittedUrl]:
    """Like `submit_urls`, with the result of each URL under its given spelling."""
    level = parse_priority(priority)
    found: dict[str, SubmittedUrl] = {}
    async with db.transaction():
        for part in _parts(list(dict.fromkeys(urls))):
            found |= await _submit(db, frontier, part, source_id, level, origin)
    return found


async def _submit(
    db: asyncpg.Connection,
    frontier: FrontierStore,
    urls: Sequence[str],
    source_id: int | None,
    priority: int,
    origin: UrlOrigin,
) -> dict[str, SubmittedUrl]:
    general = [normalize(url) for url in urls]
    if source_id is None:
        by_host = await SourceStore().sources_of(db, {host_of(url) for url in general})
        wanted = [by_host.get(host_of(url), ADHOC) for url in general]
    else:
        wanted = [source_id] * len(general)
    sources = {each: await owner_by_id(db, each) for each in sorted(set(wanted))}
    rules = {each: source.policy.url_rules() for each, source in sources.items()}
    spelt = {
        url: _submission(normalize(url, rules=rules[each]), each, priority, origin)
        for url, each in zip(urls, wanted, strict=True)
    }
    links = {link.key: link for link in spelt.values()}
    results = await frontier.submit(db, list(links.values()))
    return {url: _result_of(link, sources[link.source_id], results[link.key]) for url, link in spelt.items()}


def _submission(url: str, source_id: int, priority: int, origin: UrlOrigin) -> Submission:
    return Submission(
        key=key_of(url),
        url=url,
        host=host_of(url),
        priority=priority,
        source_id=source_id,
        origin=origin,
    )


def _result_of(link: Submission, source: UrlOwner, result: SubmissionResult) -> SubmittedUrl:
    return SubmittedUrl(link.url, source.name, result, source.held)


def _parts(urls: Sequence[str]) -> Iterator[Sequence[str]]:
    return (urls[first : first + AT_ONCE] for first in range(0, len(urls), AT_ONCE))
