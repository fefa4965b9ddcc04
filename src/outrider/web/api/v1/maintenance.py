"""`/api/v1/admin/maintenance`: tasks that an operator asks for, and their history (API-79 to API-81)."""

import asyncio
from typing import Annotated
from uuid import UUID

from pydantic import Field

from outrider.auth.model import Role
from outrider.errors import Unavailable
from outrider.maintenance.model import MaintenanceTask, TaskRecord
from outrider.services.operations.maintenance import (
    MaintenanceReport,
    begin_task,
    carry_out,
    show_maintenance,
    show_task,
)
from outrider.web.dependencies import Caller, Context, Db, RequestBody
from outrider.web.router import ApiRouter
from outrider.web.site_requests import database_address

router = ApiRouter("maintenance")

_RUNNING = "maintenance_tasks"  # in the parts of the context: tasks that nothing else refers to


class BackfillBody(RequestBody):
    """Which sources are crawled again."""

    sources: Annotated[list[Annotated[str, Field(max_length=500)]], Field(max_length=1_000)] = []  # noqa: RUF012
    worst: Annotated[int | None, Field(ge=1, le=1_000, description="So many of the worst extraction.")] = None
    dry_run: bool = True


@router.get(
    "/api/v1/admin/maintenance",
    Role.ADMIN,
    summary="Show maintenance tasks and their history",
    result=MaintenanceReport,
    errors=(401, 403),
)
async def get_maintenance(db: Db, context: Context) -> MaintenanceReport:
    """Each task with its next run, the last times that tasks were asked for, and what the leader repeats.

    `periodic` has the last and the next run of each task of the leading scheduler. A `next_run_at` in the
    past says that the task is running, or that no scheduler leads; a new leader runs every task at once.
    """
    return await show_maintenance(db, context.settings)


@router.get(
    "/api/v1/admin/maintenance/tasks/{task_id}",
    Role.ADMIN,
    summary="Show a maintenance task that was asked for",
    result=TaskRecord,
    errors=(401, 403, 404, 422),
)
async def get_maintenance_task(db: Db, task_id: UUID) -> TaskRecord:
    """One task with its state, its progress and its result."""
    return await show_task(db, task_id)


@router.post(
    "/api/v1/admin/maintenance/{task}",
    Role.ADMIN,
    summary="Run a maintenance task now",
    result=TaskRecord,
    status=202,
    action="maintenance.run",
    in_transaction=False,
    errors=(401, 403, 409, 422, 503),
)
async def post_maintenance(db: Db, context: Context, caller: Caller, task: MaintenanceTask) -> TaskRecord:
    """Begin a task in the background. Follow it at `/api/v1/admin/maintenance/tasks/{task_id}`."""
    record = await begin_task(db, context.settings, task, caller.name)
    running: set[asyncio.Task[None]] = context.parts.setdefault(_RUNNING, set())
    started = asyncio.create_task(carry_out(context.settings, database_address(context), record))
    running.add(started)
    started.add_done_callback(running.discard)
    return record


@router.post(
    "/api/v1/admin/backfill",
    Role.ADMIN,
    summary="Crawl chosen sources again",
    action="source.backfill",
    errors=(401, 403, 422, 503),
)
async def post_backfill(body: BackfillBody) -> None:
    """Not part of this version: it answers 503."""
    raise Unavailable("backfill is not part of this version: force-run the jobs of the sources instead")
