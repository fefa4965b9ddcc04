"""Use cases of owned sites: add, list, show, change and remove them, and their keys (API-83, API-102)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

import asyncpg

from outrider.errors import InvalidInput
from outrider.links.monitor.model import LinkCounts
from outrider.links.monitor.store import LinkStore
from outrider.redirects.broken_store import BrokenStore, SiteFigures
from outrider.redirects.rekeying import rekey
from outrider.redirects.store import Author, RedirectStore
from outrider.services.paging import ListPage, PageRequest
from outrider.services.sites.webhook import set_webhook_of
from outrider.sites.keys import new_key
from outrider.sites.model import OwnedSite, SiteSettings
from outrider.sites.store import PathStore, SiteStore
from outrider.sites.store import site_of_key as site_of_key

NAME_RULE = "a name has 1 to 63 small letters, digits, dots, hyphens and underscores, and at least one letter"
MOST_HOSTS = 100
KEY_GRACE_S = 3_600.0


@dataclass(frozen=True, slots=True)
class SiteRequest:
    """A site to add."""

    name: str
    base_url: str
    hosts: Sequence[str] = ()  # besides that of the base URL
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SiteChanges:
    """What to change about a site. None leaves it as it is."""

    name: str | None = None
    base_url: str | None = None
    hosts: Sequence[str] | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    update_webhook: str | None = None  # an empty text removes it


@dataclass(frozen=True, slots=True)
class SiteWithKey:
    """A site and its new key, which is shown once."""

    site: OwnedSite
    key: str


@dataclass(frozen=True, slots=True)
class SiteBadges:
    """A site with what needs attention."""

    site: OwnedSite
    dead_links: int
    pending_broken_urls: int


@dataclass(frozen=True, slots=True)
class SiteSummary:
    """A site in numbers: the badge counts and the figures of its redirects."""

    site: OwnedSite
    live_paths: int
    version: int
    figures: SiteFigures
    links: LinkCounts
    dead_links: int  # the badges
    moved_links: int
    pending_broken_urls: int


async def add_site(db: asyncpg.Connection, request: SiteRequest) -> SiteWithKey:
    """Register a site; raises InvalidInput and Conflict."""
    base_url, host = _base(request.base_url)
    settings = SiteSettings().changed(request.settings)
    hosts = _hosts([host, *request.hosts])
    key = new_key()
    async with db.transaction():
        site = await SiteStore().add(db, _name(request.name), base_url, hosts, settings, key)
        await RedirectStore().touch(db, site.site_id)
    return SiteWithKey(site, key)


async def list_sites(db: asyncpg.Connection, page: PageRequest) -> ListPage[OwnedSite]:
    """All sites, by name."""
    page = page.checked()
    found, total = await SiteStore().page(db, page.limit, page.offset)
    return ListPage(found, total, page.limit, page.offset)


async def list_site_badges(db: asyncpg.Connection, page: PageRequest) -> ListPage[SiteBadges]:
    """All sites, by name, with what needs attention."""
    async with db.transaction():
        sites = await list_sites(db, page)
        numbers = [each.site_id for each in sites.items]
        dead = await LinkStore().dead_by_site(db, numbers)
        pending = await BrokenStore().pending_by_site(db, numbers)
    rows = [SiteBadges(each, dead.get(each.site_id, 0), pending.get(each.site_id, 0)) for each in sites.items]
    return ListPage(rows, sites.total, sites.limit, sites.offset)


async def show_site(db: asyncpg.Connection, named: str) -> SiteSummary:
    """A site with its figures; raises NotFound."""
    async with db.transaction():
        site = await SiteStore().find(db, named)
        live = await PathStore().count(db, site.site_id)
        version, _ = await RedirectStore().version(db, site.site_id)
        figures = await BrokenStore().figures(db, site.site_id)
        links = await LinkStore().counts(db, site.site_id)
    return SiteSummary(
        site, live, version, figures, links, links.dead, links.moved, figures.pending_broken_urls
    )


async def find_site(db: asyncpg.Connection, named: str) -> OwnedSite:
    """A site by its name or number; raises NotFound."""
    return await SiteStore().find(db, named)


async def change_site(
    db: asyncpg.Connection,
    named: str,
    changes: SiteChanges,
    by: str,
    check: Callable[[OwnedSite], None] = lambda _: None,
) -> OwnedSite:
    """Change a site. Other rules for paths, and new hosts, rewrite its inventory and its redirects.

    `check` is given the site as it is, and raises if that is not what the caller means to change.
    """
    async with db.transaction():
        site = await SiteStore().lock(db, named)
        check(site)
        base_url, host = _base(changes.base_url) if changes.base_url is not None else (site.base_url, None)
        hosts = site.hosts if changes.hosts is None else changes.hosts
        wanted = replace(
            site,
            name=site.name if changes.name is None else _name(changes.name),
            base_url=base_url,
            hosts=_hosts([*([host] if host else []), *hosts]),
            settings=site.settings.changed(changes.settings),
        )
        await RedirectStore().touch(db, site.site_id)
        changed = await SiteStore().change(db, wanted)
        if changes.update_webhook is not None:
            changed = await set_webhook_of(db, changed, changes.update_webhook or None)
        if changed.settings.rules != site.settings.rules or not {*changed.hosts} <= {*site.hosts}:
            await rekey(db, changed, Author(by))
        return changed


async def remove_site(db: asyncpg.Connection, named: str) -> OwnedSite:
    """Remove a site with its redirects; raises NotFound."""
    async with db.transaction():
        site = await SiteStore().find(db, named)
        await LinkStore().remove_site(db, site.site_id)
        await SiteStore().remove(db, site.site_id)
    return site


async def rotate_key(db: asyncpg.Connection, named: str, grace_s: float = KEY_GRACE_S) -> SiteWithKey:
    """Give a site a new key. The present one stays valid for `grace_s` seconds."""
    if not 0 <= grace_s <= 30 * 86_400:
        raise InvalidInput("the old key stays valid for 0 seconds to 30 days")
    key = new_key()
    async with db.transaction():
        site = await SiteStore().find(db, named)
        return SiteWithKey(await SiteStore().set_key(db, site.site_id, key, grace_s), key)


def _name(text: str) -> str:
    allowed = set("abcdefghijklmnopqrstuvwxyz0123456789._-")
    is_good = 1 <= len(text) <= 63 and set(text) <= allowed and text[0] not in "._-"
    if not is_good or not any("a" <= each <= "z" for each in text):
        raise InvalidInput(f"{text[:100]!r} cannot be the name of a site: {NAME_RULE}")
    return text


def _base(text: str) -> tuple[str, str]:
    """The base URL without its path, and its host with its port."""
    try:
        parts = urlsplit(text if len(text) <= 2_000 else "")
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username:
        raise InvalidInput(f"{text[:200]!r} is no base URL such as https://shop.example")
    is_usual = port in (None, {"http": 80, "https": 443}[parts.scheme])
    host = _host(parts.hostname + ("" if is_usual else f":{port}"))
    return f"{parts.scheme}://{host}", host


def _hosts(given: Sequence[str]) -> list[str]:
    hosts = list(dict.fromkeys(_host(each) for each in given))
    if len(hosts) > MOST_HOSTS:
        raise InvalidInput(f"a site has at most {MOST_HOSTS} hosts")
    return hosts


def _host(text: str) -> str:
    allowed = set("abcdefghijklmnopqrstuvwxyz0123456789.-:[]")
    host = text.lower()
    if not 1 <= len(host) <= 253 or not set(host) <= allowed:
        raise InvalidInput(f"{text[:200]!r} is no host such as shop.example or 127.0.0.1:8000")
    return host
