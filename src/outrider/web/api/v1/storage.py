"""`/api/v1/admin/storage-report`: what the database holds (API-78)."""

from outrider.auth.model import Role
from outrider.services.operations.storage import StorageReport, report_storage
from outrider.web.dependencies import Db
from outrider.web.router import ApiRouter

router = ApiRouter("maintenance")


@router.get(
    "/api/v1/admin/storage-report",
    Role.ADMIN,
    summary="Report the size of the database",
    result=StorageReport,
)
async def get_storage_report(db: Db) -> StorageReport:
    """Sizes and rows of each table, and rows by state."""
    return await report_storage(db)
