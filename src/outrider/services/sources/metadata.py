"""The use case that proposes a name, feeds and selectors for a site that is not watched yet (SRC-15)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from outrider.services.fetch.polite import FetchOne
from outrider.services.sources.add import explore_site
from outrider.sources.model import Mode
from outrider.sources.source_changes import SourceChanges


@dataclass(frozen=True, slots=True)
class SiteMetadata:
    """What a site offers, as the fields of a source."""

    url: str
    reached: bool
    name: str
    mode: Mode
    feeds: Sequence[str]
    sitemaps: Sequence[str]
    selectors: Mapping[str, Any]  # empty: none fit
    notes: Sequence[str]


async def read_site_metadata(fetch_one: FetchOne, given: str, url: str, now: datetime) -> SiteMetadata:
    """Search a site and read one of its articles. `given` is the address as it was written."""
    site = await explore_site(fetch_one, given, SourceChanges(url=url), now, proposes=True)
    source = site.changes.as_source()
    return SiteMetadata(
        url=source.url,
        reached=site.found.is_reached,
        name=source.name,
        mode=source.mode,
        feeds=site.changes.feeds,
        sitemaps=site.changes.sitemaps,
        selectors=site.proposal,
        notes=site.found.notes,
    )
