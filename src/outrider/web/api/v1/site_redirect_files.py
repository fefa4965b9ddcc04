"""Redirect files of a site: export with an ETag, and import (API-90)."""

from typing import Annotated

from fastapi import Depends, Query
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from outrider.auth.model import Role
from outrider.errors import InvalidInput
from outrider.redirects.formats.registry import RedirectFormat
from outrider.services.sites.redirect_files import RedirectImport, export_redirects, import_redirects
from outrider.web.api.v1.ids import SiteId
from outrider.web.context import context_of
from outrider.web.dependencies import Caller, Db
from outrider.web.router import ApiRouter

router = ApiRouter("redirects of sites")

_BODY = {
    "requestBody": {
        "required": True,
        "description": "The file as the body, in UTF-8.",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
Format = Annotated[RedirectFormat, Query(description="The format of the file.")]


async def _file(request: Request) -> str:
    """The file in the body, within the limit of imports."""
    limit = context_of(request).settings.web.import_limit
    body = await request.body()
    if len(body) > limit:
        raise HTTPException(413, f"the file is larger than {limit:,} bytes")
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInput("the file is not UTF-8: convert it first") from None


@router.get(
    "/api/v1/sites/{id}/redirects/export",
    Role.ADMIN,
    also=(Role.SITE,),
    summary="Export the redirects of a site",
    media=("application/json", "text/csv", "text/plain"),
    errors=(401, 403, 404, 422),
)
async def get_site_redirects_export(
    db: Db, request: Request, id: SiteId, format: Format = RedirectFormat.JSON
) -> Response:
    """All redirects as a file. With `If-None-Match` an unchanged table costs one small query.

    The header `Outrider-Left-Out` has the number of redirects that the format cannot express.
    """
    found = await export_redirects(db, id, format, request.headers.get("if-none-match"))
    headers = {"ETag": found.etag, "Cache-Control": "no-cache"}
    if found.file is None:
        return Response(status_code=304, headers=headers)
    headers["Outrider-Left-Out"] = str(len(found.file.left_out))
    headers["Content-Disposition"] = f'attachment; filename="redirects-{id}.{file_ending(format)}"'
    return Response(found.file.text.encode(), media_type=found.file.media_type, headers=headers)


@router.post(
    "/api/v1/sites/{id}/redirects/import",
    Role.ADMIN,
    summary="Import redirects from a file",
    result=RedirectImport,
    action="redirect.import",
    errors=(400, 401, 403, 404, 413, 422),
    openapi_extra=_BODY,
)
async def post_site_redirects_import(
    db: Db,
    request: Request,
    caller: Caller,
    id: SiteId,
    text: Annotated[str, Depends(_file)],
    format: Format,
    replace: Annotated[bool, Query(description="Give existing redirects the target of the file.")] = False,
    external: Annotated[bool, Query(description="Allow targets on other sites.")] = False,
    confirm_root: Annotated[bool, Query(description="Confirm a redirect of the home page.")] = False,
    dry_run: Annotated[bool, Query(description="Report what would happen, and change nothing.")] = False,
) -> RedirectImport:
    """Take the redirects of a file. A row that the rules forbid is refused with a reason."""
    request.state.after = {"format": format.value, "dry_run": dry_run, "replace": replace}
    return await import_redirects(
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


def file_ending(form: RedirectFormat) -> str:
    """The usual ending of a file in this format."""
    return {RedirectFormat.JSON: "json", RedirectFormat.CSV: "csv", RedirectFormat.CLOUDFLARE: "csv"}.get(
        form, "txt"
    )
