"""The JSON of the logs of executions."""

from datetime import datetime
from typing import Any
from uuid import UUID

from typing_extensions import TypedDict

from outrider.run_logs.model import LineLevel, LogCategory
from outrider.runs.model import RunStatus
from outrider.services.runs.log_view import LogAvailability


class JobLogsShape(TypedDict):
    """The logs of a job's executions, newest first."""

    job_id: UUID
    has_live_logs: bool
    stream_v2_available: bool
    executions: list[LogAvailability]
    total: int
    limit: int
    offset: int


class LogLineShape(TypedDict):
    """A line of a log (SSE-08)."""

    schema_version: int
    position: str
    timestamp: datetime
    level: LineLevel
    category: LogCategory
    message: str
    job_id: str
    execution_id: UUID
    fields: dict[str, Any]


class LogViewShape(TypedDict):
    """Lines of one execution."""

    execution_id: UUID
    execution_number: int
    status: RunStatus
    lines: list[LogLineShape]
    position: str
    has_more: bool
    is_ended: bool
