"""Use cases of stored links: register the links of a field, list, check, ignore and replace them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import asyncpg

from outrider.errors import Conflict, InvalidInput, NotFound
from outrider.events.log import write_events
from outrider.events.record import NewEvent
from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.links.monitor.hrefs import checked_source_key, field_links, link_key
from outrider.links.monitor.internal import fixed_state, internal_state
from outrider.links.monitor.kinds import CheckMoment, check_moments, kind_of
from outrider.links.monitor.model import (
    LinkCounts,
    LinkKind,
    LinkState,
    LinkType,
    LinkUpdate,
    LivePaths,
    PathAnswer,
    StoredCheck,
    StoredLink,
    StoredLinkStatus,
)
from outrider.links.monitor.queue import queue_checks
from outrider.links.monitor.replacements import Replacement, replacements_for
from outrider.links.monitor.schedule import is_fresh
from outrider.links.monitor.store import LinkStore
from outrider.links.reason import LinkReason
from outrider.links.webhook.model import DeliveryKind
from outrider.links.webhook.store import DeliveryStore
from outrider.services.paging import ListPage, PageRequest
from outrider.services.transaction import one_transaction
from outrider.urls import UrlKey
from outrider.urls.typed import address_of

MOST_LINKS_OF_SITE = 1_000_000
UPDATE_REQUESTED = DeliveryKind.UPDATE_REQUESTED.value
_STORE = LinkStore()


@dataclass(frozen=True, slots=True)
class SavedField:
    """The links of a content field after it was saved. Internal ones are judged, external ones may wait."""

    source_key: str
    links: Sequence[StoredLink]
    queued: int  # external addresses that are checked now


@dataclass(frozen=True, slots=True)
class StoredLinkFilter:
    """Which links of a site are listed."""

    status: StoredLinkStatus | None = None
    link_type: LinkType | None = None
    ignored: bool = False  # list ignored links, too


@dataclass(frozen=True, slots=True)
class LinkDetails:
    """A link with its checks and the addresses that may replace it."""

    link: StoredLink
    checks: Sequence[StoredCheck]
    replacements: Sequence[Replacement]


async def save_field_links(
    db: asyncpg.Connection,
    site_id: int,
    site_origin: str,
    source_key: str,
    hrefs: Sequence[str],
    live_paths: LivePaths,
    *,
    edit_url: str | None = None,
    kind: LinkKind | None = None,
    hosts: Collection[str] = (),
    now: datetime | None = None,
) -> SavedField:
    """Replace the links of a content field (API-98). Without `kind` its name says what the field is.

    Links within the site are judged at once by `live_paths`, without a request. An external address is
    queued, unless it was checked within a day. Raises InvalidInput for too many or too long links.
    """
    key = checked_source_key(source_key)
    kind = kind_of(key, kind)
    links = field_links(hrefs, site_origin, kind, hosts)
    at = now or datetime.now(UTC)
    async with one_transaction(db):
        if await _STORE.count(db, site_id) + len(links) > MOST_LINKS_OF_SITE:
            raise InvalidInput(f"a site has at most {MOST_LINKS_OF_SITE:,} links")
        stored = await _STORE.replace_field(db, site_id, key, links, edit_url, kind)
        fixed = {link.url: link.fixed for link in links if link.fixed is not None}
        states = await _internal_states(stored, fixed, live_paths)
        waiting: list[str] = []
        for link in stored:
            if link.link_type is LinkType.EXTERNAL and CheckMoment.SAVE in check_moments(
                kind, link.link_type
            ):
                known = await _STORE.checks(db, _key(link), 1)
                if known and is_fresh(known[0].checked_at, at):
                    states[link.link_id] = known[0].state
                else:
                    waiting.append(link.url)
        await _STORE.set_states(db, states)
        await queue_checks(db, _frontier(), waiting)
        saved = await _STORE.replace_field(db, site_id, key, links, edit_url, kind)
    return SavedField(key, saved, len(waiting))


async def list_site_links(
    db: asyncpg.Connection, site_id: int, wanted: StoredLinkFilter, page: PageRequest
) -> ListPage[StoredLink]:
    """The links of a site: dead first, then moved, then unchecked (API-97)."""
    page = page.checked()
    async with db.transaction():
        found, total = await _STORE.links(
            db,
            site_id,
            wanted.status,
            wanted.link_type,
            with_ignored=wanted.ignored,
            limit=page.limit,
            offset=page.offset,
        )
    return ListPage(found, total, page.limit, page.offset)


async def link_details(db: asyncpg.Connection, site_id: int, link_id: int) -> LinkDetails:
    """A link with its checks and replacements; raises NotFound."""
    async with db.transaction():
        link = await _found(db, site_id, link_id)
        if link.link_type is LinkType.INTERNAL:
            return LinkDetails(link, (), ())
        checks = await _STORE.checks(db, _key(link))
        needs = link.status in (StoredLinkStatus.DEAD, StoredLinkStatus.MOVED, StoredLinkStatus.UNCERTAIN)
        replacements = await replacements_for(db, link.url, link.moved_to) if needs else []
    return LinkDetails(link, checks, replacements)


async def check_link_now(db: asyncpg.Connection, site_id: int, link_id: int) -> StoredLink:
    """Queue a check of an external link before all others (API-99); raises NotFound and Conflict."""
    async with one_transaction(db):
        link = await _found(db, site_id, link_id)
        if link.link_type is LinkType.INTERNAL:
            raise Conflict("links within the site are checked when their field or their page changes")
        await queue_checks(db, _frontier(), [link.url], at_once=True)
    return link


async def ignore_link(
    db: asyncpg.Connection, site_id: int, link_id: int, *, is_ignored: bool = True
) -> StoredLink:
    """Leave a link out of lists and of the badge, until it works again (API-100); raises NotFound."""
    async with one_transaction(db):
        link = await _STORE.set_ignored(db, site_id, link_id, is_ignored)
    if link is None:
        raise NotFound(f"the site has no link {link_id}")
    return link


async def apply_link(
    db: asyncpg.Connection, site_id: int, link_id: int, replacement: str | None = None
) -> LinkUpdate:
    """Ask the system of the owner to replace a link in its field (API-101).

    Without `replacement` the target of the permanent redirect is taken. The request is an event, and stays in
    the list of updates until the field is saved without the link. A site with a webhook is also sent it, by a
    delivery of the same transaction. Raises NotFound, and Conflict for a link
    without a new address.
    """
    async with one_transaction(db):
        link = await _found(db, site_id, link_id)
        target = replacement or link.moved_to
        if target is None:
            raise Conflict(f"link {link_id} has no new address: name one, or check the link first")
        if not target.startswith("/"):
            target = address_of(target)
        await _STORE.request_update(db, link, target)
        [update] = [each for each in await _STORE.updates(db, site_id) if each.link_id == link_id] or [
            LinkUpdate(link_id, link.source_key, link.url, target, datetime.now(UTC))
        ]
        payload = {"site_id": site_id, "source_key": link.source_key, "url": link.url, "replacement": target}
        await write_events(db, [NewEvent(UPDATE_REQUESTED, str(link_id), payload)])
        told = {**payload, "link_id": link_id, "edit_url": link.edit_url}
        await DeliveryStore().add(db, site_id, DeliveryKind.UPDATE_REQUESTED, told)
    return update


async def requested_updates(db: asyncpg.Connection, site_id: int) -> Sequence[LinkUpdate]:
    """The replacements that the system of the owner has yet to make, oldest first."""
    return await _STORE.updates(db, site_id)


async def link_counts(db: asyncpg.Connection, site_id: int) -> LinkCounts:
    """The links of a site by status, for the badge (DLM-17, API-102)."""
    return await _STORE.counts(db, site_id)


async def _internal_states(
    links: Sequence[StoredLink], fixed: Mapping[str, LinkReason], live_paths: LivePaths
) -> dict[int, LinkState]:
    internal = [link for link in links if link.link_type is LinkType.INTERNAL]
    paths = [link.url for link in internal if link.url not in fixed]
    answers: Mapping[str, PathAnswer] = await live_paths(paths) if paths else {}
    return {
        link.link_id: fixed_state(fixed[link.url])
        if link.url in fixed
        else internal_state(answers.get(link.url))
        for link in internal
    }


async def _found(db: asyncpg.Connection, site_id: int, link_id: int) -> StoredLink:
    link = await _STORE.link(db, site_id, link_id)
    if link is None:
        raise NotFound(f"the site has no link {link_id}")
    return link


def _key(link: StoredLink) -> UrlKey:
    return link_key(link.url)


def _frontier() -> FrontierStore:
    return FrontierStore(FrontierOptions())
