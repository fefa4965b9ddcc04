"""Files of sources: import and export (API-72)."""

import asyncio
from typing import Annotated

from fastapi import Depends, Query
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from outrider.auth.model import Role
from outrider.errors import InvalidInput
from outrider.services.sources.files import ImportReport, export_sources, import_file
from outrider.sources.exporter import ExportFormat
from outrider.sources.importer import read_import
from outrider.web.api.v1.shapes.sources import ImportShape
from outrider.web.context import context_of
from outrider.web.dependencies import Context, Db
from outrider.web.router import ApiRouter

router = ApiRouter("sources")

EXPORT_TYPES = {
    ExportFormat.CSV: "text/csv; charset=utf-8",
    ExportFormat.JSON: "application/json",
    ExportFormat.OPML: "text/x-opml; charset=utf-8",
}
_FILE = {"type": "string", "format": "binary"}
_BODY = {
    "requestBody": {
        "required": True,
        "description": "A CSV, XLSX, OPML or JSON file, as the body or as the part `file` of a form.",
        "content": {
            "multipart/form-data": {
                "schema": {"type": "object", "properties": {"file": _FILE}, "required": ["file"]}
            },
            "application/octet-stream": {"schema": _FILE},
        },
    }
}


async def _uploaded(request: Request) -> bytes:
    """The file of the request, within the limit of imports."""
    limit = context_of(request).settings.web.import_limit
    body = await request.body()
    if len(body) > limit:
        raise HTTPException(413, f"the file is larger than {limit:,} bytes")
    if request.headers.get("content-type", "").startswith("multipart/form-data"):
        async with request.form(max_files=1, max_fields=1, max_part_size=limit) as form:
            file = form.get("file")
            if file is None or isinstance(file, str):
                raise InvalidInput("the form needs a part `file` with the list of sources")
            body = await file.read()
    if not body.strip():
        raise InvalidInput("the file is empty: send a CSV, XLSX, OPML or JSON list of sources")
    return body


@router.post(
    "/api/v1/sources/import",
    Role.ADMIN,
    summary="Import sources from a file",
    result=ImportShape,
    action="source.import",
    errors=(400, 401, 403, 413, 422),
    openapi_extra=_BODY,
)
async def post_sources_import(
    db: Db,
    context: Context,
    content: Annotated[bytes, Depends(_uploaded)],
    dry_run: Annotated[bool, Query(description="Report what would happen, and change nothing.")] = False,
) -> ImportReport:
    """Add and change many sources. A refused row says why and does not affect the other rows.

    Sources are matched by their identity key, else by name, else by address.
    """
    file = await asyncio.to_thread(read_import, content)
    return await import_file(db, file, context.settings.frontier, dry_run=dry_run)


@router.get(
    "/api/v1/sources/export",
    Role.USER,
    summary="Export all sources",
    media=("text/csv", "application/json", "text/x-opml"),
    errors=(401, 422),
)
async def get_sources_export(
    db: Db,
    format: Annotated[ExportFormat, Query(description="The form of the file.")] = ExportFormat.CSV,
) -> Response:
    """All sources as a file that can be imported."""
    text = await export_sources(db, format)
    headers = {"Content-Disposition": f'attachment; filename="sources.{format.value}"'}
    return Response(text.encode(), media_type=EXPORT_TYPES[format], headers=headers)
