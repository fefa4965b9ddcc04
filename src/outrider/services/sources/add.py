"""Use cases of `outrider source add`: search a site for feeds and sitemaps, then watch it.

No transaction is open while a site is requested, so a caller does three steps: `check_unwatched`,
`explore_site`, `add_source`. The last one checks again.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import asyncpg

from outrider.errors import Conflict
from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.services.fetch.polite import FetchOne
from outrider.services.transaction import one_transaction
from outrider.sources import values
from outrider.sources.model import Mode, Source
from outrider.sources.source_changes import SourceChanges
from outrider.sources.store import SourceStore
from outrider.watch.channels.found import DiscoveryResult, FoundChannel
from outrider.watch.source_service import ChangeResult, SourceService


@dataclass(frozen=True, slots=True)
class SiteSearch:
    """What a search of a site found. An empty proposal: no selectors were asked for, or none fit."""

    found: DiscoveryResult
    proposal: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ExploredSite:
    """What a site offers, and the given fields completed with it."""

    found: DiscoveryResult
    changes: SourceChanges
    proposal: Mapping[str, Any]  # selectors that one of its articles suggests; empty: none
    refusal: str | None = None  # why the site is added only by force

    def json_form(self) -> dict[str, Any]:
        """The JSON of a refused site."""
        return {"added": False, "found": found_form(self.found)}


@dataclass(frozen=True, slots=True)
class AddedSource:
    """The new source, or the source that would be added in a dry run."""

    changes: SourceChanges
    settled: ChangeResult | None  # None: a dry run without a database
    found: DiscoveryResult | None
    dry_run: bool

    @property
    def name(self) -> str:
        return self.settled.source.name if self.settled else self.changes.as_source().name

    @property
    def mode(self) -> Mode:
        return self.settled.source.mode if self.settled else self.changes.as_source().mode

    @property
    def notes(self) -> tuple[str, ...]:
        return self.settled.notes if self.settled else ()

    def json_form(self) -> dict[str, Any]:
        new = self.settled.source if self.settled else self.changes.as_source()
        return {
            "added": not self.dry_run,
            "source_id": None if self.dry_run or self.settled is None else self.settled.source.source_id,
            "name": new.name,
            "url": new.url,
            "mode": new.mode,
            "feeds": self.changes.feeds,
            "sitemaps": self.changes.sitemaps,
            "selectors": self.changes.selectors,
            "found": None if self.found is None else found_form(self.found),
            "notes": self.notes,
            "dry_run": self.dry_run,
        }


async def check_unwatched(db: asyncpg.Connection, changes: SourceChanges) -> None:
    """Raise Conflict if a source has the address already."""
    known = await SourceStore().by_url(db, changes.as_source().url)
    if known is not None:
        raise watched_already(known)


def watched_already(known: Source) -> Conflict:
    """Why a site is not added a second time."""
    return Conflict(
        f"{known.url} is watched already, as {known.name!r}: "
        "`outrider source edit` changes it, --force adds it a second time"
    )


async def explore_site(
    fetch_one: FetchOne, given: str, changes: SourceChanges, now: datetime, *, proposes: bool = False
) -> ExploredSite:
    """Search a site for its name, feeds and sitemaps, and on request propose selectors.

    `given` is the address as it was written: without a scheme, https is tried first, then http.
    """
    url = changes.as_source().url
    return explored(changes, await search_new_site(fetch_one, given, url, now, proposes=proposes))


async def search_new_site(
    fetch_one: FetchOne, given: str, url: str, now: datetime, *, proposes: bool = False
) -> SiteSearch:
    """Search a site for its name, feeds and sitemaps, and on request propose selectors."""
    # Importing the feed parsers is slow, and they are not needed when a feed is named.
    from outrider.watch.discovery.discover import find_channels

    found = await find_channels(fetch_one, url)
    if not found.is_reached and "://" not in given:
        insecure = await find_channels(fetch_one, f"http{url.removeprefix('https')}")
        found = insecure if insecure.is_reached else found
    return SiteSearch(found, await _proposal(fetch_one, found, now) if proposes else {})


def explored(changes: SourceChanges, search: SiteSearch) -> ExploredSite:
    """The given fields, completed with the result of a search of the site."""
    found, proposal = search.found, search.proposal
    changes = completed(replace(changes, url=found.url, selectors=proposal or changes.selectors), found)
    return ExploredSite(found, changes, proposal, _refusal(changes, found))


async def add_source(
    db: asyncpg.Connection,
    changes: SourceChanges,
    found: DiscoveryResult | None,
    options: FrontierOptions,
    *,
    force: bool = False,
    dry_run: bool = False,
) -> AddedSource:
    """Watch a site; raises Conflict if its name is taken, or without `force` if its address is watched.

    `found` is the result of a search of the site, None if there was none.
    """
    service = SourceService(FrontierStore(options))
    async with one_transaction(db, dry_run=dry_run):
        if not force:
            await check_unwatched(db, changes)
        if found is None or not found.is_reached:
            settled = await service.add(db, changes)
        else:
            settled = await service.add(db, changes, searched=True, search_notes=found.kept_notes)
    return AddedSource(changes, settled, found, dry_run)


def completed(changes: SourceChanges, found: DiscoveryResult) -> SourceChanges:
    """The given fields, completed with what the site offers."""
    mode = changes.mode
    if mode is None and found.is_reached and not found.channels:
        mode = Mode.SPIDER  # FED-24: the site has no feed and no sitemap, so its links are followed
    return replace(
        changes,
        name=changes.name or _usable(_called(found)),
        mode=mode,
        feeds=changes.feeds or [channel.url for channel in found.feeds],
        sitemaps=changes.sitemaps or [channel.url for channel in found.sitemaps],
    )


def found_form(found: DiscoveryResult) -> dict[str, Any]:
    """What was found on a site, for JSON."""
    return {
        "reached": found.is_reached,
        "name": found.name,
        "feeds": [_channel_form(channel) for channel in found.feeds],
        "sitemaps": [_channel_form(channel) for channel in found.sitemaps],
        "notes": found.notes,
    }


def _channel_form(channel: FoundChannel) -> dict[str, Any]:
    return {
        "url": channel.url,
        "found_by": channel.found_by,
        "items": channel.items,
        "title": channel.title,
        "doubt": channel.doubt,
    }


def _refusal(changes: SourceChanges, found: DiscoveryResult) -> str | None:
    if not found.is_reached:
        return "the site returned no page: name its --feed, or use --force to add it anyway"
    elsewhere = _leads_elsewhere(changes, found)
    if elsewhere is None:
        return None
    return (
        f"{found.url} redirects to {elsewhere}, out of its scope, so no link could be followed: "
        f"`outrider source add {elsewhere}` watches that site, --force adds this one anyway"
    )


def _leads_elsewhere(changes: SourceChanges, found: DiscoveryResult) -> str | None:
    """The target of the start page, if links are followed and it is out of scope (RDC-18)."""
    if changes.mode is None or not changes.mode.follows_links or found.arrived_at is None:
        return None
    scope = changes.as_source().policy.bounds()
    return None if scope.admits(found.arrived_at) else found.arrived_at


async def _proposal(fetch_one: FetchOne, found: DiscoveryResult, now: datetime) -> dict[str, Any]:
    """The selectors that an article of the site suggests; a note says why there are none."""
    from outrider.extract.recipe.selectors import Selectors
    from outrider.watch.trial import test_extraction

    if found.sample is None:
        found.notes.append("no feed has an article to derive selectors from")
        return {}
    trial = await test_extraction(fetch_one, found.sample, Selectors(), None)
    proposal = trial.proposal(now)
    if not proposal:
        found.notes.append(f"{found.sample} suggests no selectors")
    return proposal


def _called(found: DiscoveryResult) -> str | None:
    """The name of the site. The title of a feed is better: it has no "Home" around it."""
    name = found.name or ""
    titles = [channel.title for channel in found.feeds if channel.title]
    return min((title for title in titles if title in name or not name), key=len, default=found.name)


def _usable(name: str | None) -> str | None:
    """The name, or None if it is not valid as the name of a source."""
    try:
        return values.name((name or "")[: values.LONGEST_NAME])
    except ValueError:
        return None
