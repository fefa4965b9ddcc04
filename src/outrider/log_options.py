"""Which lines are logged, and in which format. Apart from `logs`, which takes long to import."""

from dataclasses import dataclass, field
from enum import StrEnum

from outrider.options import setting


class LogLevel(StrEnum):
    """The severity of a line."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"

    @classmethod
    def _missing_(cls, value: object) -> "LogLevel | None":
        return cls.WARNING if value == "warn" else None


class LogFormat(StrEnum):
    """The format of a line."""

    AUTO = "auto"
    TEXT = "text"
    JSON = "json"

    @classmethod
    def _missing_(cls, value: object) -> "LogFormat | None":
        return cls.TEXT if value == "console" else None


@dataclass(frozen=True, slots=True)
class LogOptions:
    """Which lines are logged, and in which format."""

    level: LogLevel = field(
        default=LogLevel.INFO,
        metadata=setting(
            "OUTRIDER_LOG_LEVEL",
            "The least important line to write.",
            alias=("LOG_LEVEL", "FETCHER_LOG_LEVEL"),
        ),
    )
    format: LogFormat = field(
        default=LogFormat.AUTO,
        metadata=setting(
            "OUTRIDER_LOG_FORMAT",
            "How a line looks: auto is text on a terminal and JSON elsewhere.",
            alias=("LOG_FORMAT",),
        ),
    )
