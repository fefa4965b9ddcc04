"""Use cases of redirect files: export with a version, and import (API-90)."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import asyncpg

from outrider.errors import Conflict, InvalidInput
from outrider.redirects.changing import commit_changes
from outrider.redirects.formats.model import LARGEST_FILE, ExportedTable, FileRow, RedirectFile
from outrider.redirects.formats.registry import RedirectFormat, read_file, write_file
from outrider.redirects.store import Author, RedirectStore
from outrider.redirects.table import RedirectTable
from outrider.services.sites.redirects import wanted_redirect
from outrider.services.transaction import one_transaction
from outrider.sites.model import OwnedSite
from outrider.sites.store import SiteStore

MOST_REASONS = 100


@dataclass(frozen=True, slots=True)
class RedirectExport:
    """A redirect file and its ETag. `file` is None if the reader has that version."""

    etag: str
    version: int
    file: RedirectFile | None


@dataclass(frozen=True, slots=True)
class RefusedRow:
    """A row of a file that was not taken."""

    line: int
    from_path: str
    reason: str


@dataclass(frozen=True, slots=True)
class RedirectImport:
    """What an import did."""

    created: int
    changed: int
    unchanged: int
    refused: int
    refused_rows: Sequence[RefusedRow]  # the first of them


async def export_redirects(
    db: asyncpg.Connection, named: str, form: RedirectFormat, if_none_match: str | None = None
) -> RedirectExport:
    """The redirects of a site as a file. With the ETag of the present version only the version is read."""
    async with db.transaction(isolation="repeatable_read", readonly=True):
        site = await SiteStore().find(db, named)
        version, _ = await RedirectStore().version(db, site.site_id)
        etag = f'"{site.site_id}-{version}-{form.value}"'
        if if_none_match is not None and etag in [each.strip() for each in if_none_match.split(",")]:
            return RedirectExport(etag, version, None)
        stored = await RedirectStore().all_stored(db, site.site_id)
    redirects = [each.redirect for each in stored]
    table = ExportedTable(
        site.name,
        site.base_url,
        site.hosts,
        site.settings.rules,
        version,
        redirects,
        site.settings.bot_words,
    )
    # In a thread: a large table takes 100 ms, and others wait for this process.
    return RedirectExport(etag, version, await asyncio.to_thread(write_file, table, form))


async def import_redirects(
    db: asyncpg.Connection,
    named: str,
    text: str,
    form: RedirectFormat,
    by: str,
    *,
    replaces: bool = False,
    may_leave: bool = False,
    confirm_root: bool = False,
    dry_run: bool = False,
) -> RedirectImport:
    """Take the redirects of a file. A row that the rules forbid is refused with a reason.

    `replaces` gives redirects that exist the target of the file.
    """
    if len(text) > LARGEST_FILE:
        raise InvalidInput(f"the file has more than {LARGEST_FILE:,} characters: split it")
    rows = list(read_file(text, form))
    async with one_transaction(db, dry_run=dry_run):
        site = await SiteStore().find(db, named)
        redirects = RedirectStore()
        await redirects.lock(db, site.site_id)
        table = await redirects.whole(db, site.site_id)
        done = {"created": 0, "changed": 0, "unchanged": 0}
        refused: list[RefusedRow] = []
        for row in rows:
            try:
                done[_take(site, table, row, form, replaces, may_leave, confirm_root)] += 1
            except (InvalidInput, Conflict) as error:
                refused.append(RefusedRow(row.line, row.from_path[:200], str(error)))
        await commit_changes(db, site, table, Author(by))
    return RedirectImport(**done, refused=len(refused), refused_rows=refused[:MOST_REASONS])


def _take(
    site: OwnedSite,
    table: RedirectTable,
    row: FileRow,
    form: RedirectFormat,
    replaces: bool,
    may_leave: bool,
    confirm_root: bool,
) -> str:
    """Take one row into the table; returns what happened."""
    wanted = wanted_redirect(site, row.from_path, row.to, row.status, may_leave=may_leave)
    why = f"line {row.line} of an import of {form.value}"
    present = table.get(wanted.from_path)
    if present is not None and (present.to, present.status) == (wanted.to, wanted.status):
        return "unchanged"
    if present is not None and replaces:
        before = len(table.changes)
        table.replace(wanted, why, confirm_root=confirm_root)
        return "changed" if len(table.changes) > before else "unchanged"
    table.create(wanted, why, confirm_root=confirm_root)
    return "created"
