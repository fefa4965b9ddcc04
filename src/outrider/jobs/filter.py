"""Which jobs a list has, and in which order (JOB-20)."""

from dataclasses import dataclass, replace
from enum import StrEnum

from outrider.jobs.model import JobStatus


class JobSort(StrEnum):
    """What a list of jobs can be sorted by (JOB-20)."""

    NEXT_RUN_AT = "next_run_at"
    CREATED_AT = "created_at"
    UPDATED_AT = "updated_at"
    STATUS = "status"
    SOURCE_NAME = "source_name"
    LAST_RUN_AT = "last_run_at"
    TYPE = "type"


@dataclass(frozen=True, slots=True)
class JobFilter:
    """Which jobs to list, in which order. None and an empty search match every job."""

    statuses: tuple[JobStatus, ...] = ()
    search: str = ""
    source_id: int | None = None
    label: str | None = None
    source_pattern: str | None = None  # a glob on the name of the source, such as `sport-*`
    sort: JobSort = JobSort.NEXT_RUN_AT
    descending: bool = False
    limit: int = 50
    offset: int = 0

    @property
    def is_narrow(self) -> bool:
        """Whether it leaves jobs out."""
        return replace(self, sort=JobSort.NEXT_RUN_AT, descending=False, limit=50, offset=0) != JobFilter()
