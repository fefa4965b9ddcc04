"""The forms of a site: create, change and delete redirects; decide about broken URLs and links."""

from typing import Annotated

from fastapi import Form, Path
from starlette.requests import Request
from starlette.responses import Response

from outrider.services.sites.broken_urls import ignore_broken, resolve_broken
from outrider.services.sites.links import apply_link, check_link_now, ignore_link
from outrider.services.sites.redirects import (
    RedirectEdit,
    RedirectRequest,
    change_redirect,
    create_redirect,
    remove_redirect,
)
from outrider.services.sites.sites import find_site
from outrider.web.api.v1.ids import SiteId
from outrider.web.dashboard.pages import PageRouter, done
from outrider.web.dependencies import Caller, Db

router = PageRouter()

RowId = Annotated[int, Path(ge=1, le=2**63 - 1)]
Target = Annotated[str, Form(max_length=8_000)]
Status = Annotated[int, Form(ge=301, le=410)]
Choice = Annotated[bool, Form()]


@router.post("/sites/{id}/redirects", "redirect.create")
async def create_redirect_by_form(
    request: Request,
    db: Db,
    caller: Caller,
    id: SiteId,
    from_path: Target,
    to: Target = "",
    status: Status = 301,
    external: Choice = False,
    confirm_root: Choice = False,
) -> Response:
    wanted = RedirectRequest(from_path.strip(), to.strip() or None, status, external, confirm_root)
    made = await create_redirect(db, id, wanted, caller.name)
    return done(request, f"/sites/{id}", f"{made.from_path} leads to {made.to or 'an answer of 410'} now.")


@router.post("/sites/{id}/redirects/{rid}/edit", "redirect.update")
async def edit_redirect_by_form(
    request: Request,
    db: Db,
    caller: Caller,
    id: SiteId,
    rid: RowId,
    to: Target,
    status: Status = 301,
    external: Choice = False,
    confirm_root: Choice = False,
) -> Response:
    edit = RedirectEdit(to.strip() or None, status, external, confirm_root)
    changed = await change_redirect(db, id, str(rid), edit, caller.name)
    return done(request, f"/sites/{id}", f"{changed.from_path} leads to {changed.to or '410'} now.")


@router.post("/sites/{id}/redirects/{rid}/delete", "redirect.delete")
async def delete_redirect_by_form(
    request: Request, db: Db, caller: Caller, id: SiteId, rid: RowId
) -> Response:
    gone = await remove_redirect(db, id, str(rid), caller.name)
    return done(request, f"/sites/{id}", f"The redirect from {gone.from_path} is deleted.")


@router.post("/sites/{id}/broken/{bid}/resolve", "broken_url.resolve")
async def resolve_by_form(
    request: Request, db: Db, caller: Caller, id: SiteId, bid: RowId, to: Target, external: Choice = False
) -> Response:
    row = await resolve_broken(db, id, bid, to.strip(), caller.name, may_leave=external)
    return done(request, f"/sites/{id}?tab=broken", f"Visitors of {row.path} are redirected now.")


@router.post("/sites/{id}/broken/{bid}/ignore", "broken_url.ignore")
async def ignore_broken_by_form(request: Request, db: Db, id: SiteId, bid: RowId) -> Response:
    row = await ignore_broken(db, id, bid)
    return done(request, f"/sites/{id}?tab=broken", f"{row.path} is ignored.")


@router.post("/sites/{id}/links/{lid}/check", "link.check")
async def check_link_by_form(request: Request, db: Db, id: SiteId, lid: RowId) -> Response:
    await check_link_now(db, (await find_site(db, id)).site_id, lid)
    return done(request, f"/sites/{id}?tab=links", "A worker checks the link next.")


@router.post("/sites/{id}/links/{lid}/ignore", "link.ignore")
async def ignore_link_by_form(
    request: Request, db: Db, id: SiteId, lid: RowId, ignored: Choice = True
) -> Response:
    await ignore_link(db, (await find_site(db, id)).site_id, lid, is_ignored=ignored)
    return done(
        request, f"/sites/{id}?tab=links", "The link is ignored." if ignored else "The link counts again."
    )


@router.post("/sites/{id}/links/{lid}/apply", "link.apply")
async def apply_link_by_form(request: Request, db: Db, id: SiteId, lid: RowId, to: Target = "") -> Response:
    update = await apply_link(db, (await find_site(db, id)).site_id, lid, to.strip() or None)
    return done(
        request, f"/sites/{id}?tab=links", f"Your system is asked to put {update.replacement} in its place."
    )
