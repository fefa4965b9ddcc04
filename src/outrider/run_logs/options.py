"""Settings of the logs of runs (SSE-09)."""

from dataclasses import dataclass, field
from enum import StrEnum

from outrider.object_store.options import read_bucket
from outrider.options import setting
from outrider.run_logs.model import LineLevel


class Verbosity(StrEnum):
    """How much a run logs."""

    QUIET = "quiet"  # its start, its end, and errors
    NORMAL = "normal"  # also its progress, rate limits and paused hosts
    DEBUG = "debug"  # also each request
    TRACE = "trace"  # also each page


@dataclass(frozen=True, slots=True)
class RunLogOptions:
    """How much the logs of runs hold, and for how long."""

    enabled: bool = field(
        default=True,
        metadata=setting("OUTRIDER_RUN_LOG", "Keep a log of every run.", alias=("JOB_LOGS_ENABLED",)),
    )
    level: LineLevel = field(
        default=LineLevel.INFO,
        metadata=setting(
            "OUTRIDER_RUN_LOG_LEVEL",
            "Leave out lines below this level. The verbosity `debug` or `trace` includes level `debug`.",
            alias=("JOB_LOGS_MIN_LEVEL",),
        ),
    )
    verbosity: Verbosity = field(
        default=Verbosity.NORMAL,
        metadata=setting(
            "OUTRIDER_RUN_LOG_VERBOSITY",
            "`quiet`: start, end and errors; `normal`: also progress; `debug`: also each request; `trace`: "
            "also each page.",
        ),
    )
    buffer: int = field(
        default=1_000,
        metadata=setting(
            "OUTRIDER_RUN_LOG_BUFFER",
            "Lines that a worker holds while the database is slow. Further lines are dropped and counted.",
            alias=("JOB_LOGS_BUFFER_SIZE",),
            least=10,
            most=100_000,
        ),
    )
    milestone: int = field(
        default=50,
        metadata=setting(
            "OUTRIDER_RUN_LOG_MILESTONE",
            "Write a line about the progress after this many pages.",
            alias=("JOB_LOGS_MILESTONE_INTERVAL",),
            least=1,
            most=1_000_000,
        ),
    )
    progress_s: float = field(
        default=15.0,
        metadata=setting(
            "OUTRIDER_RUN_LOG_PROGRESS",
            "Write a line about the progress at least this often while workers work for the run.",
            kind="duration",
            least=1,
            most=86_400,
        ),
    )
    most_lines: int = field(
        default=50_000,
        metadata=setting(
            "OUTRIDER_RUN_LOG_LINES",
            "Lines that the log of one run holds. Further lines are counted.",
            least=100,
            most=1_000_000,
        ),
    )
    kept_days: int = field(
        default=30,
        metadata=setting(
            "OUTRIDER_RUN_LOG_KEPT_DAYS",
            "Days after the end of a run for which its archived log is kept.",
            alias=("JOB_LOGS_RETENTION_DAYS",),
            least=1,
            most=36_500,
        ),
    )
    bucket: str | None = field(
        default=None,
        metadata=setting(
            "OUTRIDER_RUN_LOG_BUCKET",
            "The S3 bucket of archived logs, which must exist. Empty: they are files in the data directory.",
            alias=("JOB_LOGS_MINIO_BUCKET",),
            kind="text",
            parse=read_bucket,
        ),
    )

    @property
    def shown_level(self) -> LineLevel:
        """The lowest level of lines that are written."""
        return LineLevel.DEBUG if self.is_detailed else self.level

    @property
    def is_detailed(self) -> bool:
        return self.verbosity in (Verbosity.DEBUG, Verbosity.TRACE)
