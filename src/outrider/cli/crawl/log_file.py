"""Redirect standard error to a file while the live screen is shown, which log lines would break."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from outrider.db.home import cannot_use

LARGEST = 10 << 20


class LogFile:
    """A file that this process and its workers append to; rotated when it grows too large."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._large = LARGEST

    @contextmanager
    def catch_stderr(self) -> Iterator[None]:
        """Redirect standard error of this process and of its children to the file."""
        sys.stderr.flush()
        file, terminal = self._open(), os.dup(2)
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
        """Keep one old file. Writers hold the file open for appending, so it is truncated, not replaced."""
        with suppress(OSError):
            if self.path.stat().st_size > self._large:
                self._large += (
                    LARGEST  # if the disk has no space for the old file, rotate again after the same growth
                )
                self._keep_old()
                os.truncate(self.path, 0)
                self._large = LARGEST

    def _keep_old(self) -> None:
        old = self.path.with_suffix(".log.1")
        try:
            shutil.copyfile(self.path, old)
        except OSError:
            old.unlink()  # delete an incomplete copy, which only takes space
            raise

    def _open(self) -> int:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            return os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise cannot_use(self.path, error) from error
