"""Files of a site: upload the inventory, import and export redirects."""

import asyncio
from typing import Annotated

from fastapi import File, Form, Query, UploadFile
from starlette.requests import Request
from starlette.responses import Response

from outrider.auth.model import Role
from outrider.errors import InvalidInput
from outrider.redirects.formats.registry import RedirectFormat
from outrider.services.sites.content import put_paths
from outrider.services.sites.inventory_file import read_inventory
from outrider.services.sites.redirect_files import RedirectImport, export_redirects, import_redirects
from outrider.web.api.v1.ids import SiteId
from outrider.web.api.v1.site_redirect_files import file_ending
from outrider.web.dashboard.pages import PageRouter, done
from outrider.web.dashboard.rendering import render
from outrider.web.dependencies import Caller, Db
from outrider.wording import plural

router = PageRouter()

Uploaded = Annotated[UploadFile, File()]


@router.post("/sites/{id}/paths", "site.paths")
async def upload_inventory(
    request: Request,
    db: Db,
    caller: Caller,
    id: SiteId,
    file: Uploaded,
    merge: Annotated[bool, Form()] = False,
) -> Response:
    paths = await asyncio.to_thread(read_inventory, await _text(file))
    result = await put_paths(db, id, paths, caller.name, replaces=not merge)
    request.state.after = {"paths": len(paths), "merge": merge}
    gone = plural(result.no_longer_live_total, "path is", "paths are") + " no longer live"
    return done(request, f"/sites/{id}", f"The inventory has {result.live_paths:,} paths; {gone}.")


@router.get("/sites/{id}/export", Role.ADMIN)
async def download_redirects(
    db: Db, id: SiteId, format: Annotated[RedirectFormat, Query()] = RedirectFormat.CSV
) -> Response:
    found = await export_redirects(db, id, format)
    assert found.file is not None
    name = f"redirects-{id}.{file_ending(format)}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(found.file.text.encode(), media_type=found.file.media_type, headers=headers)


@router.post("/sites/{id}/import", "redirect.import")
async def import_by_form(
    request: Request,
    db: Db,
    caller: Caller,
    id: SiteId,
    file: Uploaded,
    format: Annotated[RedirectFormat, Form()],
    replace: Annotated[bool, Form()] = False,
    external: Annotated[bool, Form()] = False,
    confirm_root: Annotated[bool, Form()] = False,
    dry_run: Annotated[bool, Form()] = False,
) -> Response:
    """The answer lists the rows that were refused, with the reason of each."""
    text = await _text(file)
    result = await import_redirects(
        db,
        id,
        text,
        format,
        caller.name,
        replaces=replace,
        may_leave=external,
        confirm_root=confirm_root,
        dry_run=dry_run,
    )
    page = {"id": id, "result": result, "dry_run": dry_run, "answer": _told(result, dry_run)}
    return render(request, "sites/imported.html", page, title="Import of redirects")


async def _text(file: UploadFile) -> str:
    try:
        text = (await file.read()).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInput("the file is not UTF-8: convert it first") from None
    if not text.strip():
        raise InvalidInput("choose a file that is not empty")
    return text


def _told(result: RedirectImport, dry_run: bool) -> str:
    verb = "would be" if dry_run else "were"
    return (
        f"{result.created:,} redirects {verb} created, {result.changed:,} changed, "
        f"{result.refused:,} refused; {result.unchanged:,} stay as they are."
    )
