"""Rewrites the inventory and the redirects of a site whose rules for paths or whose hosts changed."""

from dataclasses import replace

import asyncpg

from outrider.errors import Conflict, InvalidInput
from outrider.redirects.changing import commit_changes
from outrider.redirects.model import ChangeAction, Redirect, TableChange
from outrider.redirects.store import Author, RedirectStore
from outrider.redirects.table import RedirectTable
from outrider.redirects.target import read_target
from outrider.sites.model import OwnedSite
from outrider.sites.paths import read_path
from outrider.sites.store import PathStore

WHY = "the rules for paths or the hosts changed"


async def rekey(db: asyncpg.Connection, site: OwnedSite, by: Author) -> None:
    """Bring every path to the form of the present rules. Redirects that fall together keep the first.

    A target on a host that belongs to the site now becomes a path, so one that leads back goes.
    """
    rules, paths = site.settings.rules, PathStore()
    pages = await paths.everything(db, site.site_id)
    moved = {
        read_path(page.path, rules): replace(
            page,
            path=read_path(page.path, rules),
            parent=None if page.parent is None else read_path(page.parent, rules),
        )
        for page in pages
    }
    await paths.keep_only(db, site.site_id, [])
    await paths.put(db, site.site_id, list(moved.values()))
    old = await RedirectStore().whole(db, site.site_id)
    new = RedirectTable(live=old.live)
    for redirect in sorted(old, key=lambda each: each.from_path):
        try:
            new.create(_in_form(redirect, site), WHY, confirm_root=True)
        except (Conflict, InvalidInput):
            continue
    changes = _difference(old, new)
    old.changes.extend(changes)
    await commit_changes(db, site, old, by)


def _in_form(redirect: Redirect, site: OwnedSite) -> Redirect:
    rules, target = site.settings.rules, redirect.target
    if target is not None and target.key is None:
        target = read_target(target.text, rules, site.hosts, may_leave=True)
    if target is not None and target.key is not None:
        target = replace(target, path=read_path(target.path, rules))
    return replace(redirect, from_path=read_path(redirect.from_path, rules), target=target)


def _difference(old: RedirectTable, new: RedirectTable) -> list[TableChange]:
    changes = []
    for path in sorted({each.from_path for each in old} | {each.from_path for each in new}):
        before, after = old.get(path), new.get(path)
        if before != after:
            action = (
                ChangeAction.CREATED
                if before is None
                else ChangeAction.REMOVED
                if after is None
                else ChangeAction.CHANGED
            )
            changes.append(TableChange(action, path, before, after, WHY))
    return changes
