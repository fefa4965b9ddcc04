"""The start of every command: its settings and its event loop."""

from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import uvloop

from outrider.cli.output import fail
from outrider.errors import Misconfigured
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
    """Run `work` on the same event loop as workers."""
    return uvloop.run(work)
