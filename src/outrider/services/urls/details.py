"""The use case of one entry of the frontier: its row, its redirects and its recent requests (API-13)."""

from collections.abc import Sequence
from dataclasses import dataclass

import asyncpg

from outrider.errors import NotFound
from outrider.frontier.model import History
from outrider.frontier.paths import redirect_targets_of
from outrider.frontier.redirect_hops import SeenRedirect, redirects_of
from outrider.frontier.stats import StatsStore
from outrider.services.urls.lists import ListedUrl, find_listed
from outrider.urls import UrlKey

RECENT_FETCHES = 20


@dataclass(frozen=True, slots=True)
class UrlDetails:
    """One entry, where its redirects lead, and its last requests."""

    entry: ListedUrl
    redirect_chain: Sequence[str]  # the URLs that it leads to, redirect by redirect
    redirects: Sequence[SeenRedirect]  # as they were met, newest first
    recent_fetches: Sequence[History]  # newest first


async def show_url(db: asyncpg.Connection, key: UrlKey) -> UrlDetails:
    """One entry; raises NotFound."""
    async with db.transaction():
        entry = await find_listed(db, key)
        if entry is None:
            raise NotFound("there is no such URL in the frontier")
        return UrlDetails(
            entry,
            await redirect_targets_of(db, key),
            await redirects_of(db, key),
            await StatsStore().history(db, key, RECENT_FETCHES),
        )
