"""The start of every command: its settings and its event loop."""

from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import uvloop

from outrider import logs
from outrider.cli.output import fail
from outrider.errors import Misconfigured
from outrider.log_options import LogLevel, LogOptions
from outrider.settings import Loaded, load

T = TypeVar("T")

WRONG_USAGE = 2


def load_settings(config: Path | None, **options: object) -> Loaded:
    """Load the settings with these options, by key; an invalid value is wrong usage."""
    try:
        return load(options, config=config)
    except Misconfigured as error:
        fail(error, WRONG_USAGE)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run `work` on the same event loop as workers. Its warnings go to standard error, not into its result.

    Commands that log more set up their own log.
    """
    logs.set_up(LogOptions(LogLevel.WARNING), service="outrider")
    return uvloop.run(work)
