"""Use cases of redirects: list, create, change, remove, resolve, audit (API-86 to API-89)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import asyncpg

from outrider.errors import InvalidInput, NotFound
from outrider.redirects.changing import commit_changes
from outrider.redirects.model import (
    GONE,
    MORE_CODES,
    USUAL_CODES,
    Redirect,
    RedirectSort,
    RedirectSource,
    StoredRedirect,
)
from outrider.redirects.store import AuditLine, Author, RedirectStore
from outrider.redirects.target import location, read_target
from outrider.services.paging import ListPage, PageRequest
from outrider.sites.model import OwnedSite
from outrider.sites.paths import ROOT, decode, decoded, for_header, read_path
from outrider.sites.store import SiteStore

REASON = "created by a person"


@dataclass(frozen=True, slots=True)
class RedirectRequest:
    """A redirect to create. Without a target the answer is 410."""

    from_path: str
    to: str | None
    status: int = 301
    may_leave: bool = False  # whether the target may be on another site
    confirm_root: bool = False  # the home page needs a second confirmation
    why: str = REASON


@dataclass(frozen=True, slots=True)
class RedirectEdit:
    """What to change about a redirect. None leaves it as it is."""

    to: str | None = None
    status: int | None = None
    may_leave: bool = False
    confirm_root: bool = False
    why: str = "changed by a person"


@dataclass(frozen=True, slots=True)
class RedirectFilter:
    """Which redirects to list. None matches every redirect."""

    source: RedirectSource | None = None
    search: str | None = None


@dataclass(frozen=True, slots=True)
class RedirectDetails:
    """A redirect as lists show it."""

    id: int
    from_path: str
    to: str | None
    status: int
    source: RedirectSource
    confidence: float | None
    hit_count: int
    created_at: datetime
    updated_at: datetime
    last_hit_at: datetime | None


@dataclass(frozen=True, slots=True)
class Resolution:
    """What the middleware of a site answers for a path. Status 0: it lets the application answer."""

    path: str
    status: int
    location: str | None
    reason: str  # `redirect`, `spelling` or `none`

    def json_form(self) -> dict[str, Any]:
        return {
            "path": self.path,
            "status": self.status or None,
            "location": self.location,
            "reason": self.reason,
        }


async def list_redirects(
    db: asyncpg.Connection,
    named: str,
    wanted: RedirectFilter,
    page: PageRequest,
    sort: RedirectSort = RedirectSort.FROM_PATH,
) -> ListPage[RedirectDetails]:
    """The redirects of a site that match `wanted`."""
    page = page.checked()
    async with db.transaction():
        site = await SiteStore().find(db, named)
        found, total = await RedirectStore().page(
            db, site.site_id, wanted.source, wanted.search, sort, page.limit, page.offset
        )
    return ListPage([details_of(each) for each in found], total, page.limit, page.offset)


async def create_redirect(
    db: asyncpg.Connection, named: str, request: RedirectRequest, by: str
) -> RedirectDetails:
    """Create a redirect, flattened; raises Conflict if it would hide a page or form a loop."""
    async with db.transaction():
        site = await SiteStore().find(db, named)
        return await create_for(db, site, request, Author(by))


async def create_for(
    db: asyncpg.Connection, site: OwnedSite, request: RedirectRequest, by: Author
) -> RedirectDetails:
    """The same within the transaction of the caller."""
    wanted = wanted_redirect(site, request.from_path, request.to, request.status, may_leave=request.may_leave)
    redirects = RedirectStore()
    await redirects.lock(db, site.site_id)
    table = await redirects.part(db, site.site_id, [wanted.from_path], [wanted.to_key or ROOT])
    table.create(wanted, request.why, confirm_root=request.confirm_root)
    await commit_changes(db, site, table, by)
    return await _from(db, site, wanted.from_path)


async def change_redirect(
    db: asyncpg.Connection, named: str, which: str, edit: RedirectEdit, by: str
) -> RedirectDetails:
    """Give a redirect another target or code; loops and chains are checked again (RDM-29)."""
    async with db.transaction():
        site = await SiteStore().find(db, named)
        redirects = RedirectStore()
        await redirects.lock(db, site.site_id)
        present = (await find_redirect(db, site, which)).redirect
        status = present.status if edit.status is None else edit.status
        to = edit.to if edit.to is not None or status == GONE else present.to
        may_leave = edit.may_leave or (edit.to is None and present.to_key is None)
        wanted = wanted_redirect(site, present.from_path, to, status, may_leave=may_leave)
        table = await redirects.part(db, site.site_id, [wanted.from_path], [wanted.to_key or ROOT])
        table.replace(wanted, edit.why, confirm_root=edit.confirm_root)
        await commit_changes(db, site, table, Author(by))
        return await _from(db, site, wanted.from_path)


async def remove_redirect(db: asyncpg.Connection, named: str, which: str, by: str) -> RedirectDetails:
    """Remove a redirect by number or path; raises NotFound. Its broken URL is opened again."""
    async with db.transaction():
        site = await SiteStore().find(db, named)
        redirects = RedirectStore()
        await redirects.lock(db, site.site_id)
        present = await find_redirect(db, site, which)
        table = await redirects.part(db, site.site_id, [present.redirect.from_path])
        table.remove(present.redirect.from_path, "removed by a person")
        await commit_changes(db, site, table, Author(by))
    return details_of(present)


async def resolve_path(db: asyncpg.Connection, named: str, asked: str) -> Resolution:
    """What the middleware answers for a path with its query (API-89)."""
    path, _, query = asked.partition("#")[0].partition("?")
    async with db.transaction():
        site = await SiteStore().find(db, named)
        key = read_path(path, site.settings.rules)
        found = await RedirectStore().by_path(db, site.site_id, key)
    if found is not None:
        to = None if found.redirect.to is None else location(for_header(found.redirect.to), query)
        return Resolution(path, found.redirect.status, to, "redirect")
    if decoded(key) != decode(path) and "//" not in path and "%2f" not in path.lower():
        return Resolution(path, 301, location(for_header(key), query), "spelling")
    return Resolution(path, 0, None, "none")


async def list_changes(
    db: asyncpg.Connection, named: str, page: PageRequest, path: str | None = None
) -> ListPage[AuditLine]:
    """The audit of a site, newest first; of one path if it is given (RDM-27)."""
    page = page.checked()
    async with db.transaction():
        site = await SiteStore().find(db, named)
        of = None if path is None else read_path(path, site.settings.rules)
        found, total = await RedirectStore().audit(db, site.site_id, of, page.limit, page.offset)
    return ListPage(found, total, page.limit, page.offset)


def wanted_redirect(
    site: OwnedSite, from_path: str, to: str | None, status: int, *, may_leave: bool
) -> Redirect:
    """A redirect that a person or a file asks for; raises InvalidInput with the reason."""
    rules = site.settings.rules
    codes = USUAL_CODES + (MORE_CODES if site.settings.more_status_codes else ())
    if to is None:
        if status not in (GONE, 301):
            raise InvalidInput("a redirect without a target answers 410")
        return Redirect(read_path(from_path, rules), None, GONE)
    if status not in codes:
        allowed = ", ".join(map(str, codes))
        raise InvalidInput(
            f"the code of a redirect is one of {allowed}, not {status}; "
            "the setting more_status_codes of the site allows 303, 307 and 308"
        )
    target = read_target(to, rules, site.hosts, may_leave=may_leave)
    return Redirect(read_path(from_path, rules), target, status)


async def find_redirect(db: asyncpg.Connection, site: OwnedSite, which: str) -> StoredRedirect:
    """A redirect by its number or its path; raises NotFound."""
    if which.isascii() and which.isdigit() and len(which) <= 18:
        return await RedirectStore().by_id(db, site.site_id, int(which))
    found = await RedirectStore().by_path(db, site.site_id, read_path(which, site.settings.rules))
    if found is None:
        raise NotFound(f"{site.name} has no redirect from {which[:200]!r}")
    return found


def details_of(stored: StoredRedirect) -> RedirectDetails:
    """A redirect in the form for display."""
    redirect = stored.redirect
    return RedirectDetails(
        stored.redirect_id,
        redirect.from_path,
        redirect.to,
        redirect.status,
        redirect.source,
        redirect.confidence,
        stored.hit_count,
        stored.created_at,
        stored.updated_at,
        stored.last_hit_at,
    )


async def _from(db: asyncpg.Connection, site: OwnedSite, path: str) -> RedirectDetails:
    found = await RedirectStore().by_path(db, site.site_id, path)
    assert found is not None
    return details_of(found)
