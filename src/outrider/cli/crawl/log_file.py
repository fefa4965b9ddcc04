"""Where the lines go that would tear the screen: standard error, sent to a file while the screen is up."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LARGEST = 10 << 20


class LogFile:
    """A file that this process and its workers append to; turned over when it grows too large."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @contextmanager
    def catch_stderr(self) -> Iterator[None]:
        """Send standard error of this process, and of those it starts, to the file."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        sys.stderr.flush()
        terminal = os.dup(2)
        file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        try:
            self.turn_over()
            os.dup2(file, 2)
            yield
        finally:
            sys.stderr.flush()
            os.dup2(terminal, 2)
            os.close(terminal)
            os.close(file)

    def turn_over(self) -> None:
        """Keep one old file. Writers hold the file open for appending, so it is emptied, not replaced."""
        if self.path.stat().st_size > LARGEST:
            shutil.copyfile(self.path, self.path.with_suffix(".log.1"))
            os.truncate(self.path, 0)
