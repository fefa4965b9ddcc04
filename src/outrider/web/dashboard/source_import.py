"""`/sources/import` and `/sources/export`: lists of sources as files (UI-09)."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response

from outrider.auth.model import Role
from outrider.errors import InvalidInput
from outrider.services.sources.files import ImportReport, export_sources, import_file
from outrider.sources.exporter import ExportFormat
from outrider.sources.importer import read_import
from outrider.watch.bulk import RowReport, RowResult
from outrider.web.api.v1.source_import import EXPORT_TYPES
from outrider.web.dashboard.pages import PageRouter
from outrider.web.dashboard.rendering import render
from outrider.web.dependencies import Context, Db

router = PageRouter()

MOST_ROWS_SHOWN = 500


@dataclass(frozen=True, slots=True)
class ImportPage:
    """The form of an import, and the report of the last one."""

    report: ImportReport | None = None
    file_name: str = ""

    formats = tuple(ExportFormat)
    results = tuple(RowResult)

    @property
    def rows(self) -> Sequence[RowReport]:
        """Refused rows first: they need the reader."""
        rows = self.report.rows if self.report else ()
        return sorted(rows, key=lambda row: row.end is not RowResult.REFUSED)[:MOST_ROWS_SHOWN]


@router.get("/sources/import", Role.ADMIN)
async def show_import(request: Request) -> Response:
    return render(request, "sources/import.html", ImportPage(), title="Import sources")


@router.post("/sources/import", "source.import")
async def import_by_form(request: Request, db: Db, context: Context) -> Response:
    """The answer is the report itself: every row with its result."""
    form = await request.form(max_files=1, max_fields=10)
    file = form.get("file")
    if not isinstance(file, UploadFile) or not file.size:
        raise InvalidInput("choose a file with a list of sources: CSV, XLSX, OPML or JSON")
    content = await file.read()
    listed = await asyncio.to_thread(read_import, content)
    dry_run = form.get("dry_run") == "true"
    report = await import_file(db, listed, context.settings.frontier, dry_run=dry_run)
    page = ImportPage(report, file.filename or "the file")
    return render(request, "sources/import.html", page, title="Import sources")


@router.get("/sources/export")
async def export_file(db: Db, format: ExportFormat = ExportFormat.CSV) -> Response:
    text = await export_sources(db, format)
    headers = {"Content-Disposition": f'attachment; filename="sources.{format.value}"'}
    return Response(text.encode(), media_type=EXPORT_TYPES[format], headers=headers)
