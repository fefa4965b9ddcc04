"""`/api/v1/workers`: the worker processes (API-76)."""

from outrider.auth.model import Role
from outrider.services.operations.workers import WorkerPool, list_workers
from outrider.web.dependencies import Db
from outrider.web.router import ApiRouter

router = ApiRouter("workers")


@router.get(
    "/api/v1/workers", Role.USER, summary="Show the worker processes", result=WorkerPool, has_position=True
)
async def get_workers(db: Db) -> WorkerPool:
    """Each worker with the age of its heartbeat and the URL that it fetches."""
    return await list_workers(db)
