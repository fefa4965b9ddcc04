"""What a site tells about its pages, and what follows for its redirects and its inventory (RDM-05)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import asyncpg

from outrider.errors import InvalidInput
from outrider.redirects.changing import commit_changes
from outrider.redirects.model import Redirect, RedirectSource, TableChange
from outrider.redirects.store import Author, RedirectStore
from outrider.redirects.table import RedirectTable, path_below
from outrider.sites.model import LivePath, OwnedSite, PathKind
from outrider.sites.paths import read_path
from outrider.sites.store import PathStore

LONGEST_EVENT_ID = 200
LONGEST_TITLE = 1_000
MOST_BELOW = 100_000  # paths that move with a collection


class ContentEventKind(StrEnum):
    """What happened to a page."""

    CREATED = "created"
    UPDATED = "updated"
    RENAMED = "renamed"
    DELETED = "deleted"
    HIDDEN = "hidden"
    SHOWN = "shown"
    COLLECTION_RENAMED = "collection_renamed"


@dataclass(frozen=True, slots=True)
class ContentEvent:
    """Something that happened to a page of a site. `new_path` is where the page is now, if it moved."""

    kind: ContentEventKind
    path: str
    new_path: str | None = None
    title: str | None = None
    parent: str | None = None
    item_kind: PathKind | None = None
    status: str | None = None
    event_id: str | None = None

    def checked(self, site: OwnedSite) -> "ContentEvent":
        """The event with its paths in stored form; raises InvalidInput with the reason."""
        moves = self.kind in (ContentEventKind.RENAMED, ContentEventKind.COLLECTION_RENAMED)
        if moves and self.new_path is None:
            raise InvalidInput(f"an event {self.kind.value} needs new_path")
        if self.new_path is not None and not moves and self.kind is not ContentEventKind.UPDATED:
            raise InvalidInput(f"an event {self.kind.value} has no new_path")
        for name, text, most in (
            ("title", self.title, LONGEST_TITLE),
            ("status", self.status, 100),
            ("event_id", self.event_id, LONGEST_EVENT_ID),
        ):
            if text is not None and (len(text) > most or "\x00" in text or (name == "event_id" and not text)):
                raise InvalidInput(f"{name} has at most {most} characters")
        rules = site.settings.rules
        return replace(
            self,
            path=read_path(self.path, rules),
            new_path=None if self.new_path is None else read_path(self.new_path, rules),
            parent=None if self.parent is None else read_path(self.parent, rules),
        )


@dataclass(frozen=True, slots=True)
class EventResult:
    """What an event changed."""

    event_id: str | None
    is_duplicate: bool
    changes: Sequence[TableChange] = ()


async def apply_event(db: asyncpg.Connection, site: OwnedSite, event: ContentEvent, by: str) -> EventResult:
    """Apply one event within the transaction of the caller. An event that comes again changes nothing."""
    event = event.checked(site)
    redirects, paths = RedirectStore(), PathStore()
    await redirects.lock(db, site.site_id)
    if event.event_id is not None and not await redirects.is_new_event(db, site.site_id, event.event_id):
        return EventResult(event.event_id, True)
    known = await paths.named(db, site.site_id, [event.path, event.new_path or event.path])
    page = known.get(event.path)
    author = Author(by, event.event_id)
    why = f"event {event.kind.value}"
    if event.kind is ContentEventKind.COLLECTION_RENAMED:
        table = await _move_collection(db, site, event, why)
        await commit_changes(db, site, table, author, arrived=_arrived(event))
        return EventResult(event.event_id, False, tuple(table.changes))
    returning = (await redirects.returning(db, site.site_id, [event.path])).get(event.path, [])
    own = [event.path, *(each.from_path for each in returning)]
    match event.kind:
        case ContentEventKind.DELETED | ContentEventKind.HIDDEN:
            parents = [parent for parent in (event.parent, page and page.parent) if parent][:1]
            table = await redirects.part(db, site.site_id, own, [*parents, "/"])
            if event.kind is ContentEventKind.DELETED:
                _end_hiding(table, page, why, returning)
                table.delete(event.path, parents, site.settings.delete_fallback, why)
                await paths.remove(db, site.site_id, [event.path])
            else:
                table.hide(event.path, parents, why)
                await paths.put(db, site.site_id, [_page(event, page, event.path, is_visible=False)])
        case _ if event.new_path is not None and event.new_path != event.path:
            table = await redirects.part(db, site.site_id, [*own, event.new_path])
            is_visible = page is None or page.is_visible
            _end_hiding(table, page, why, returning)
            if table.rename(event.path, event.new_path, why):
                if not is_visible:
                    table.live.discard(event.new_path)
                await paths.remove(db, site.site_id, [event.path])
                moved = _page(event, page, event.new_path, is_visible=is_visible)
                await paths.put(db, site.site_id, [moved])
        case _:
            table = await redirects.part(db, site.site_id, own)
            is_visible = page is None or page.is_visible or event.kind is not ContentEventKind.UPDATED
            if is_visible:
                table.becomes_live(event.path, why, returning)
            await paths.put(db, site.site_id, [_page(event, page, event.path, is_visible=is_visible)])
    await commit_changes(db, site, table, author, arrived=_arrived(event))
    return EventResult(event.event_id, False, tuple(table.changes))


async def _move_collection(
    db: asyncpg.Connection, site: OwnedSite, event: ContentEvent, why: str
) -> RedirectTable:
    """Rename a collection with all paths of the inventory below it."""
    redirects, paths = RedirectStore(), PathStore()
    assert event.new_path is not None
    pages = {page.path: page for page in await paths.below(db, site.site_id, event.path, MOST_BELOW + 1)}
    if len(pages) > MOST_BELOW:
        raise InvalidInput(
            f"more than {MOST_BELOW:,} paths are below {event.path}: move its parts one by one"
        )
    pages.setdefault(event.path, LivePath(event.path, PathKind.COLLECTION))
    targets = [path_below(event.new_path, event.path, path) for path in pages]
    hidden = {path for path, page in pages.items() if not page.is_visible}
    returning = await redirects.returning(db, site.site_id, hidden)
    sources = [each.from_path for back in returning.values() for each in back]
    table = await redirects.part(db, site.site_id, [*pages, *targets, *sources])
    for path in sorted(hidden):
        _end_hiding(table, pages[path], why, returning.get(path, ()))
    moved = dict(table.move_below(event.path, event.new_path, pages, why))
    for path in hidden & moved.keys():
        table.live.discard(moved[path])
    await paths.remove(db, site.site_id, moved.keys())
    title = pages[event.path].title if event.title is None else event.title
    await paths.put(
        db,
        site.site_id,
        [
            replace(
                pages[path],
                path=to,
                parent=moved.get(pages[path].parent or "", pages[path].parent),
                title=title if path == event.path else pages[path].title,
            )
            for path, to in moved.items()
        ],
    )
    return table


def _end_hiding(table: RedirectTable, page: LivePath | None, why: str, returning: Iterable[Redirect]) -> None:
    """End the redirect of a hidden page to its parent, and that of what led to the page before."""
    redirect = None if page is None or page.is_visible else table.get(page.path)
    if redirect is not None and redirect.source is RedirectSource.AUTO_DELETED:
        table.becomes_live(redirect.from_path, why, returning)
        table.live.discard(redirect.from_path)


def _page(event: ContentEvent, known: LivePath | None, path: str, *, is_visible: bool = True) -> LivePath:
    """The page of the inventory after an event; what the event does not say stays."""
    known = known or LivePath(path)
    return LivePath(
        path,
        known.kind if event.item_kind is None else event.item_kind,
        known.title if event.title is None else event.title,
        known.parent if event.parent is None else event.parent,
        is_visible,
        known.status if event.status is None else event.status,
    )


def _arrived(event: ContentEvent) -> list[str]:
    """The path that answers again after an event."""
    if event.kind in (ContentEventKind.DELETED, ContentEventKind.HIDDEN):
        return []
    return [event.new_path or event.path]
