"""Use cases of the links in the content of owned sites, judged by what is known about their paths."""

from collections.abc import Collection, Iterable, Sequence

import asyncpg

from outrider.errors import InvalidInput
from outrider.links.monitor.internal import internal_state
from outrider.links.monitor.kinds import CheckMoment, check_moments
from outrider.links.monitor.model import LinkKind, LinkState, StoredLink
from outrider.links.monitor.store import LinkStore
from outrider.links.reason import LinkReason
from outrider.redirects.live_paths import live_paths_of
from outrider.services.sites.links import SavedField, save_field_links
from outrider.sites.model import OwnedSite
from outrider.sites.paths import for_header
from outrider.sites.store import SiteStore

LINKS_AT_ONCE = 1_000
MOST_BADGE = 1_000  # counting stops there
_SPELLED = (LinkReason.INVALID_ADDRESS, LinkReason.BAD_EMAIL)
_STORE = LinkStore()


async def save_site_field(
    db: asyncpg.Connection,
    site: OwnedSite,
    source_key: str,
    hrefs: Sequence[str],
    edit_url: str | None = None,
    kind: LinkKind | None = None,
) -> SavedField:
    """Replace the links of a content field (API-98). Links within the site are judged at once."""
    live_paths = live_paths_of(db, site)
    return await save_field_links(
        db,
        site.site_id,
        site.base_url,
        source_key,
        hrefs,
        live_paths,
        edit_url=edit_url,
        kind=kind,
        hosts=site.hosts,
    )


async def save_field_by_name(
    db: asyncpg.Connection,
    named: str,
    source_key: str,
    hrefs: Sequence[str],
    edit_url: str | None = None,
    kind: LinkKind | None = None,
) -> SavedField:
    """The same for a site by its name or number; raises NotFound."""
    if kind is LinkKind.RENDERED:
        raise InvalidInput("rendered links are those that the crawler finds: choose another kind")
    return await save_site_field(db, await SiteStore().find(db, named), source_key, hrefs, edit_url, kind)


async def judge_links_to(db: asyncpg.Connection, site: OwnedSite, paths: Collection[str]) -> int:
    """Judge the links to some paths again, after their pages changed; returns how many changed."""
    spellings = {spelling.lower() for path in paths for spelling in (path, for_header(path))}
    return await _judge(db, site, await _STORE.internal_to(db, site.site_id, spellings))


async def judge_all_links(db: asyncpg.Connection, site: OwnedSite) -> int:
    """Judge all links within a site again, after its inventory changed; returns how many changed."""
    changed = last = 0
    while links := await _STORE.internal_after(db, site.site_id, last, LINKS_AT_ONCE):
        changed += await _judge(db, site, links)
        last = links[-1].link_id
    return changed


async def count_dead_links(db: asyncpg.Connection) -> int:
    """The dead links of all sites, for the badge (UI-17); counting stops at 1,000."""
    return await _STORE.count_dead(db, MOST_BADGE)


async def _judge(db: asyncpg.Connection, site: OwnedSite, links: Iterable[StoredLink]) -> int:
    """Links that their spelling decides stay as they are."""
    judged = [
        link
        for link in links
        if link.reason not in _SPELLED and CheckMoment.ITEM_CHANGE in check_moments(link.kind, link.link_type)
    ]
    answers = await live_paths_of(db, site)([link.url for link in judged])
    states = {link.link_id: internal_state(answers.get(link.url)) for link in judged}
    changed = {link.link_id: states[link.link_id] for link in judged if _differs(link, states[link.link_id])}
    await _STORE.set_states(db, changed)
    return len(changed)


def _differs(link: StoredLink, state: LinkState) -> bool:
    return (link.status, link.reason, link.moved_to) != (state.status, state.reason, state.moved_to)
