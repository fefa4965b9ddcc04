"""Changes of many discovered links, each in a transaction of its own: one that refuses stops no other."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import asyncpg

from outrider.errors import Conflict, InvalidInput, NotFound
from outrider.frontier.options import FrontierOptions
from outrider.jobs.options import JobOptions
from outrider.services.discovered.changes import create_link_job, read_link_key, remove_link, show_link
from outrider.services.discovered.lists import decide_about
from outrider.services.transaction import one_transaction
from outrider.watch.discovery.outside_links import DomainState

MOST_LINKS = 100  # changed in one call


class LinkVerb(StrEnum):
    """What a command does to discovered links."""

    FETCH = "fetch"  # with a job that runs once, now
    IGNORE = "ignore"
    RESTORE = "restore"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class LinkResult:
    """What a command did to one link. `error` is the sentence of a link that refused."""

    id: str
    url: str | None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class LinkResults:
    """What a command did to many links."""

    dry_run: bool
    changed: int
    refused: int
    links: Sequence[LinkResult]


async def change_links(
    db: asyncpg.Connection,
    ids: Sequence[str],
    verb: LinkVerb,
    frontier: FrontierOptions,
    jobs: JobOptions,
    *,
    dry_run: bool = False,
) -> LinkResults:
    """Change up to 100 links, named by the ids that lists give. A dry run rolls each change back."""
    if not 1 <= len(ids) <= MOST_LINKS:
        raise InvalidInput(f"give 1 to {MOST_LINKS} links, not {len(ids)}")
    results = []
    for each in dict.fromkeys(ids):
        results.append(await _change(db, each, verb, frontier, jobs, dry_run=dry_run))
    refused = sum(each.error is not None for each in results)
    return LinkResults(dry_run, len(results) - refused, refused, results)


async def _change(
    db: asyncpg.Connection,
    link_id: str,
    verb: LinkVerb,
    frontier: FrontierOptions,
    jobs: JobOptions,
    *,
    dry_run: bool,
) -> LinkResult:
    url = None
    try:
        async with one_transaction(db, dry_run=dry_run):
            key = read_link_key(link_id)
            url = (await show_link(db, key)).url
            match verb:
                case LinkVerb.FETCH:
                    await create_link_job(db, key, frontier, jobs)
                case LinkVerb.IGNORE:
                    await decide_about(db, url, DomainState.IGNORED)
                case LinkVerb.RESTORE:
                    await decide_about(db, url, DomainState.ACTIVE)
                case LinkVerb.REMOVE:
                    await remove_link(db, key)
    except (Conflict, NotFound, InvalidInput) as error:
        return LinkResult(link_id, url, str(error))
    return LinkResult(link_id, url)
