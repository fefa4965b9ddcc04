"""What a site knows about its paths: the answer for links that lead to them (DLM-03, DLM-04)."""

from collections.abc import Mapping, Sequence

import asyncpg

from outrider.errors import InvalidInput
from outrider.links.monitor.model import LivePaths, PathAnswer, PathState
from outrider.redirects.model import Redirect, RedirectSource
from outrider.redirects.store import RedirectStore
from outrider.sites.model import LivePath, OwnedSite
from outrider.sites.paths import ROOT, read_path
from outrider.sites.store import PathStore


def live_paths_of(db: asyncpg.Connection, site: OwnedSite) -> LivePaths:
    """What the inventory and the redirects of a site say about its paths (DLM-03, DLM-04)."""

    async def answers(paths: Sequence[str]) -> Mapping[str, PathAnswer]:
        keys = {path: key for path in paths if (key := _key(path, site)) is not None}
        if not await PathStore().has_any(db, site.site_id):
            return dict.fromkeys(paths, PathAnswer(PathState.UNKNOWN))
        wanted = {*keys.values(), *(_parent(key) for key in keys.values())}
        known = await PathStore().named(db, site.site_id, wanted)
        redirects = await RedirectStore().part(db, site.site_id, list(keys.values()))
        return {path: path_answer(key, known, redirects.get(key)) for path, key in keys.items()}

    return answers


def path_answer(key: str, known: Mapping[str, LivePath], redirect: Redirect | None) -> PathAnswer:
    """The state of one path. A page that was deleted is missing, also if its visitors are redirected."""
    page = known.get(key)
    if page is not None or key == ROOT:
        is_live = page is None or page.is_visible
        return PathAnswer(PathState.LIVE if is_live else PathState.ITEM_HIDDEN)
    if redirect is not None and redirect.source is RedirectSource.AUTO_DELETED:
        return PathAnswer(PathState.ITEM_MISSING)
    if redirect is not None and redirect.to is not None:
        return PathAnswer(PathState.MOVED, redirect.to)
    parent = _parent(key)
    if parent == ROOT:
        return PathAnswer(PathState.NO_ROUTE)
    return PathAnswer(PathState.ITEM_MISSING if parent in known else PathState.COLLECTION_MISSING)


def _key(path: str, site: OwnedSite) -> str | None:
    """The path as the inventory has it; None for one that no page can have."""
    try:
        return read_path(path.partition("?")[0], site.settings.rules)
    except InvalidInput:
        return None


def _parent(key: str) -> str:
    return key.rpartition("/")[0] or ROOT
