"""Use cases of the pages of owned sites: events of a CMS and the inventory of live paths (API-84, API-85)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import asyncpg

from outrider.errors import InvalidInput
from outrider.redirects.changing import commit_changes
from outrider.redirects.events import (
    LONGEST_TITLE,
    ContentEvent,
    ContentEventKind,
    EventResult,
    apply_event,
)
from outrider.redirects.model import ChangeAction
from outrider.redirects.store import Author, RedirectStore
from outrider.services.paging import ListPage, PageRequest
from outrider.services.sites.content_links import judge_all_links, judge_links_to
from outrider.sites.model import LivePath, OwnedSite
from outrider.sites.paths import read_path
from outrider.sites.store import PathStore, SiteStore

MOST_EVENTS = 1_000
MOST_PATHS = 1_000_000
PATHS_AT_ONCE = 10_000
LIVE = "the inventory says that it is live"
_ADDING = frozenset(ContentEventKind) - {ContentEventKind.DELETED, ContentEventKind.HIDDEN}

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class InventoryResult:
    """What an upload of live paths changed."""

    live_paths: int
    no_longer_live: Sequence[str]  # the first of them
    no_longer_live_total: int
    redirects_removed: int


async def receive_events(
    db: asyncpg.Connection, named: str, events: Sequence[ContentEvent], by: str
) -> list[EventResult]:
    """Apply events in their order, all or none. An event that comes again changes nothing."""
    if not 1 <= len(events) <= MOST_EVENTS:
        raise InvalidInput(f"send 1 to {MOST_EVENTS:,} events at once, not {len(events):,}")
    async with db.transaction():
        site = await SiteStore().find(db, named)
        results = []
        for number, event in enumerate(events, start=1):
            try:
                results.append(await apply_event(db, site, event, by))
            except InvalidInput as error:
                raise InvalidInput(f"event {number}: {error}") from None
        if any(event.kind in _ADDING for event in events):
            await _refuse_too_many(db, site)
        await judge_links_to(db, site, _touched(site, events, results))
    return results


async def put_paths(
    db: asyncpg.Connection, named: str, paths: Sequence[LivePath], by: str, *, replaces: bool = True
) -> InventoryResult:
    """Register live paths, or replace the inventory. Redirects from live paths are removed."""
    if len(paths) > MOST_PATHS:
        raise InvalidInput(f"an inventory has at most {MOST_PATHS:,} paths, not {len(paths):,}")
    async with db.transaction():
        site = await SiteStore().find(db, named)
        pages = {page.path: page for page in (_checked(each, site) for each in paths)}
        redirects, inventory = RedirectStore(), PathStore()
        await redirects.lock(db, site.site_id)
        gone = await inventory.keep_only(db, site.site_id, pages) if replaces else []
        for part in _parts(list(pages.values())):
            await inventory.put(db, site.site_id, part)
        total = await _refuse_too_many(db, site)
        live = [page.path for page in pages.values() if page.is_visible]
        removed = 0
        for arrived in _parts(live):
            returning = await redirects.returning(db, site.site_id, arrived)
            sources = [each.from_path for back in returning.values() for each in back]
            table = await redirects.part(db, site.site_id, sources, arrived)
            for path in arrived:
                table.becomes_live(path, LIVE, returning.get(path, ()))
            await commit_changes(db, site, table, Author(by), arrived=arrived)
            removed += sum(change.action is ChangeAction.REMOVED for change in table.changes)
        await judge_all_links(db, site)
    return InventoryResult(total, gone[:100], len(gone), removed)


async def _refuse_too_many(db: asyncpg.Connection, site: OwnedSite) -> int:
    """The size of the inventory; raises InvalidInput if it is too large."""
    total = await PathStore().count(db, site.site_id)
    if total > MOST_PATHS:
        raise InvalidInput(f"the inventory would have {total:,} paths, and at most {MOST_PATHS:,} fit")
    return total


async def list_paths(
    db: asyncpg.Connection, named: str, page: PageRequest, search: str | None = None
) -> ListPage[LivePath]:
    """A page of the inventory, by path."""
    page = page.checked()
    async with db.transaction():
        site = await SiteStore().find(db, named)
        found, total = await PathStore().page(db, site.site_id, search, page.limit, page.offset)
    return ListPage(found, total, page.limit, page.offset)


def _parts(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    """Parts of a bounded size, so that a large inventory does not stand in memory several times."""
    for start in range(0, len(rows), PATHS_AT_ONCE):
        yield rows[start : start + PATHS_AT_ONCE]


def _touched(site: OwnedSite, events: Sequence[ContentEvent], results: Sequence[EventResult]) -> set[str]:
    """The paths that events are about, with all paths whose redirects they changed."""
    paths: set[str] = set()
    for event, result in zip(events, results, strict=True):
        if not result.is_duplicate:
            checked = event.checked(site)
            paths |= {checked.path, checked.new_path or checked.path}
            paths |= {change.from_path for change in result.changes}
            paths |= {
                change.after.to_key for change in result.changes if change.after and change.after.to_key
            }
    return paths


def _checked(page: LivePath, site: OwnedSite) -> LivePath:
    if len(page.title) > LONGEST_TITLE or len(page.status) > 100 or "\x00" in page.title + page.status:
        raise InvalidInput(
            f"{page.path[:200]}: a title has at most {LONGEST_TITLE:,} characters, a status 100"
        )
    rules = site.settings.rules
    parent = None if page.parent is None else read_path(page.parent, rules)
    return replace(page, path=read_path(page.path, rules), parent=parent)
