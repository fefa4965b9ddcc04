"""Logs as events with fields: readable on a terminal, one JSON object a line everywhere else.

    log = get_logger()
    with bind(host="example.com"):
        log.info("url visited", outcome="fetched", took_ms=182)

`bind` adds its fields to every line of the current task and of the tasks it starts. Bodies are
never logged and secrets are masked in every line (OBS-10). An exception takes one line.
A line that cannot be written is dropped and counted; the log reports the count later (`lossy`).
"""

import asyncio
import logging
import sys
import traceback
from collections.abc import Mapping, MutableMapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, TextIO

# structlog imports rich for its own tracebacks, which are never shown. That takes longer than all the rest.
_has_rich = "rich" in sys.modules
if not _has_rich:
    sys.modules["rich"] = None  # type: ignore[assignment]
import structlog  # noqa: E402

if not _has_rich:
    del sys.modules["rich"]

from outrider.log_options import LogFormat, LogLevel, LogOptions  # noqa: E402
from outrider.lossy import LostLines, lossy  # noqa: E402
from outrider.masking import MASK, mask_urls  # noqa: E402

_LONGEST_TEXT = 2_000
_FRAMES_SHOWN = 3
_SECRET_WORDS = ("password", "passwd", "secret", "token", "authorization", "cookie", "api_key")
_BODY_FIELDS = frozenset({"body", "content", "html", "text"})
# Control characters in a hostile URL must not reach the terminal that shows the log.
_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0))}


def get_logger() -> structlog.typing.FilteringBoundLogger:
    """The logger of any module; it may be made before `set_up` is called."""
    logger: structlog.typing.FilteringBoundLogger = structlog.get_logger()
    return logger


def bind(**fields: object) -> AbstractContextManager[None]:
    """Add fields to every line until the `with` block ends."""
    return structlog.contextvars.bound_contextvars(**fields)


def bind_to_process(**fields: object) -> None:
    """Add fields to every line of this process from now on."""
    structlog.contextvars.bind_contextvars(**fields)


def set_up(options: LogOptions, *, service: str, stream: TextIO | None = None) -> TextIO:
    """Send every log line of this process, of libraries too, to `stream` (default: standard error).

    Returns the stream that `take_losses` takes.
    """
    level = logging.getLevelNamesMapping()[options.level.upper()]
    out = lossy(stream or sys.stderr, lambda lost: _render([*prepare, render], _told(lost)))
    as_text = options.format is LogFormat.TEXT or (options.format is LogFormat.AUTO and out.isatty())
    render: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer(colors=out.isatty())
        if as_text
        else structlog.processors.JSONRenderer(sort_keys=False)
    )
    prepare: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        shorten_exception,
        hide_secrets,
    ]
    bind_to_process(service=service)
    structlog.configure(
        processors=[*prepare, render],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(file=out),
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=prepare,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, render],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    return out


def quieten(library: str) -> None:
    """Write only the errors of a library."""
    logging.getLogger(library).setLevel(logging.ERROR)


def _told(lost: LostLines) -> dict[str, Any]:
    since = lost.since.isoformat().replace("+00:00", "Z")  # the format of the timestamps
    return {"event": "log lines lost", "lines": lost.lines, "since": since, "error": lost.why}


def _render(processors: Sequence[structlog.typing.Processor], event: dict[str, Any]) -> str:
    """Render the notice of lost lines directly: the stream holds its lock, so the logger cannot be used."""
    line: Any = event
    for process in processors:
        line = process(None, LogLevel.WARNING.value, line)
    return f"{line}\n"


def log_loop_exception(loop: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
    """For `loop.set_exception_handler`: log an unhandled exception of a task as one line."""
    get_logger().error(str(context.get("message", "unhandled")), exc_info=context.get("exception"))


def shorten_exception(_: object, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Replace `exc_info` by the error and the innermost frames of its traceback."""
    raised = event.pop("exc_info", None)
    if raised is True:
        raised = sys.exc_info()
    if isinstance(raised, tuple):
        raised = raised[1]
    if isinstance(raised, BaseException):
        frames = traceback.extract_tb(raised.__traceback__)[-_FRAMES_SHOWN:]
        event["error"] = f"{type(raised).__name__}: {raised}"
        event["where"] = " > ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames)
    return event


def hide_secrets(_: object, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Drop bodies, mask secrets and credentials in URLs, cut long texts."""
    for name, value in event.items():
        event[name] = _clean(name, value)
    return event


def _clean(name: str, value: Any) -> Any:
    lowered = name.lower()
    if any(word in lowered for word in _SECRET_WORDS):
        return MASK
    match value:
        case bytes() | bytearray():
            return f"({len(value)} bytes)"
        case str() if lowered in _BODY_FIELDS:
            return f"({len(value)} characters)"
        case str():
            shown = value if len(value) <= _LONGEST_TEXT else value[:_LONGEST_TEXT] + "…"
            return mask_urls(shown).translate(_CONTROLS)
        case Mapping():
            return {str(key): _clean(str(key), item) for key, item in value.items()}
    return value
