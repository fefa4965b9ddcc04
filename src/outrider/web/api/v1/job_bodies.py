"""Request bodies about jobs."""

import json
from typing import Annotated, Any, Self

from pydantic import AfterValidator, Field, model_validator

from outrider.errors import InvalidInput
from outrider.jobs.model import MAX_RETRIES, RETRY_BACKOFF_S, Interval, JobStatus, Unit
from outrider.jobs.operate import JobChanges
from outrider.jobs.schedule import read_interval
from outrider.services.jobs.changes import JobSelection, JobVerb
from outrider.services.jobs.jobs import HIGHEST_PRIORITY, MOST_RETRIES, JobRequest
from outrider.web.dependencies import RequestBody

LARGEST_METADATA = 10_000  # characters of JSON
LONGEST_BACKOFF_S = 86_400
MOST_IDS = 1_000


def _small(metadata: dict[str, Any]) -> dict[str, Any]:
    if len(json.dumps(metadata)) > LARGEST_METADATA:
        raise ValueError(f"metadata is at most {LARGEST_METADATA:,} characters of JSON")
    return metadata


Count = Annotated[int, Field(ge=1, le=10_000_000, description="How many of `interval_type`.")]
Priority = Annotated[int, Field(ge=0, le=HIGHEST_PRIORITY, description="Higher ones start first.")]
Retries = Annotated[int, Field(ge=0, le=MOST_RETRIES)]
Backoff = Annotated[int, Field(ge=1, le=LONGEST_BACKOFF_S, description="Before the first retry.")]
Metadata = Annotated[dict[str, Any], AfterValidator(_small), Field(description="Kept with the job.")]


class NewJobBody(RequestBody):
    """A job to create. Without `interval_minutes` it runs once, now."""

    source_id: Annotated[
        int | Annotated[str, Field(min_length=1, max_length=500)],
        Field(description="Number, id, name or address of the source."),
    ]
    interval_minutes: Count | None = None
    interval_type: Unit = Unit.MINUTES
    schedule_enabled: Annotated[
        bool | None, Field(description="Whether it runs again; by default if it has an interval.")
    ] = None
    priority: Priority | None = None
    adaptive_scheduling: bool = True
    max_retries: Retries = MAX_RETRIES
    retry_backoff_seconds: Backoff = RETRY_BACKOFF_S
    metadata: Metadata = Field(default_factory=dict)

    def request(self) -> JobRequest:
        """What the use case takes; raises InvalidInput for an interval that cannot be."""
        is_recurring = self.interval_minutes is not None
        enabled = is_recurring if self.schedule_enabled is None else self.schedule_enabled
        return JobRequest(
            str(self.source_id),
            read_interval(self.interval_minutes, self.interval_type, schedule_enabled=enabled),
            self.priority,
            self.adaptive_scheduling,
            self.max_retries,
            self.retry_backoff_seconds,
            self.metadata,
        )


class JobChangeBody(RequestBody):
    """What changes about a job. A field that is left out stays as it is."""

    interval_minutes: Count | None = None
    interval_type: Unit | None = None
    priority: Priority | None = None
    adaptive_scheduling: bool | None = None
    max_retries: Retries | None = None
    retry_backoff_seconds: Backoff | None = None
    metadata: Metadata | None = None

    def changes(self) -> JobChanges:
        """What the use case takes."""
        if self.model_dump(exclude_none=True) == {}:
            raise InvalidInput(f"say what changes: {', '.join(JobChangeBody.model_fields)}")
        return JobChanges(
            self._every(),
            self.priority,
            self.adaptive_scheduling,
            self.max_retries,
            self.retry_backoff_seconds,
            self.metadata,
        )

    def _every(self) -> Interval | None:
        if self.interval_minutes is None:
            if self.interval_type is not None:
                raise InvalidInput("interval_type needs interval_minutes beside it")
            return None
        return read_interval(self.interval_minutes, self.interval_type or Unit.MINUTES, schedule_enabled=True)


class JobBulkBody(RequestBody):
    """Which jobs change, and how: by their ids, or all that match."""

    verb: JobVerb
    ids: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=500)]],
        Field(max_length=MOST_IDS, description="Numbers or ids of jobs."),
    ] = []  # noqa: RUF012 (pydantic copies it)
    label: Annotated[str | None, Field(max_length=200, description="A label of their source.")] = None
    source_pattern: Annotated[
        str | None, Field(max_length=500, description="A pattern of the source's name, such as `sport-*`.")
    ] = None
    states: Annotated[list[JobStatus], Field(max_length=7)] = []  # noqa: RUF012
    all: Annotated[bool, Field(description="Every job.")] = False
    changes: Annotated[JobChangeBody | None, Field(description="What `edit` changes.")] = None
    dry_run: Annotated[bool, Field(description="Say what would happen, and change nothing.")] = False

    @model_validator(mode="after")
    def _names_jobs_in_one_way(self) -> Self:
        is_narrow = bool(self.label is not None or self.source_pattern is not None or self.states)
        if sum((bool(self.ids), is_narrow, self.all)) != 1:
            raise ValueError("select jobs in one way: by ids, by label, source_pattern and states, or all")
        if (self.verb is JobVerb.EDIT) != (self.changes is not None):
            raise ValueError("the verb edit needs changes, and no other verb takes them")
        return self

    @property
    def selection(self) -> JobSelection:
        """The jobs that it names."""
        return JobSelection(self.ids, self.label, self.source_pattern, tuple(self.states), self.all)
