"""Queue checks of addresses in the frontier."""

from collections.abc import Mapping

import asyncpg

from outrider.frontier.model import EntryKind, Submission, UrlOrigin
from outrider.frontier.store import FrontierStore
from outrider.links.monitor.hrefs import link_key
from outrider.urls import host_of

PRIORITY = 4  # below pages: a link that was registered now is not urgent
NOW_PRIORITY = 8
OWNER = 1  # the source of entries that belong to no source


async def queue_checks(
    db: asyncpg.Connection,
    frontier: FrontierStore,
    urls: Mapping[str, None] | list[str],
    *,
    at_once: bool = False,
) -> None:
    """Queue a check of each address. `at_once`: also of one that waits for its next weekly check."""
    priority = NOW_PRIORITY if at_once else PRIORITY
    entries = [
        Submission(
            key=link_key(url),
            url=url,
            host=host_of(url),
            priority=priority,
            source_id=OWNER,
            origin=UrlOrigin.MANUAL,
            kind=EntryKind.LINK,
        )
        for url in urls
    ]
    if not entries:
        return
    await frontier.submit(db, entries)
    await frontier.make_due(db, [entry.key for entry in entries])
