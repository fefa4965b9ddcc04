"""Standard output and standard error when they cannot be written, for example on a full disk.

If a result cannot be written, the command fails. Messages on standard error and progress lines may be lost:
the work is more important.
"""

import io
import json
import os
import sys
from typing import TYPE_CHECKING, TextIO

from outrider.errors import Unavailable
from outrider.lossy import LostLines, Notice, lossy

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class Unwritable(Unavailable):
    """The result cannot be written to standard output."""


class AnswerFile(io.FileIO):
    """Standard output. Its errors are distinguished from errors of other files."""

    def write(self, data: "ReadableBuffer", /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            raise  # no failure: the reader closed the pipe
        except OSError as error:
            raise Unwritable(f"standard output cannot be written: {error.strerror or error}") from error


def set_up() -> None:
    """Replace the standard streams of this process. A closed stream stays closed."""
    if sys.stdout:
        sys.stdout = _answers(sys.stdout)
    if sys.stderr:
        sys.stderr = lossy(sys.stderr, in_words)


def _answers(stream: TextIO) -> TextIO:
    file = io.BufferedWriter(AnswerFile(stream.fileno(), "w", closefd=False))
    return io.TextIOWrapper(file, stream.encoding, stream.errors, line_buffering=stream.isatty())


def finish_answer() -> None:
    """Flush the result while an error can still be reported."""
    if sys.stdout:
        sys.stdout.flush()


def drop_answer() -> None:
    """Drop the unwritten result, so that the interpreter does not try to write it at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def progress(notice: Notice) -> TextIO:
    """Standard output for progress lines, which may be lost."""
    return lossy(sys.stdout, notice)


def in_words(lost: LostLines) -> str:
    """For people."""
    lines = "1 line was" if lost.lines == 1 else f"{lost.lines:,} lines were"
    return f"outrider: {lines} lost here since {lost.since:%Y-%m-%d %H:%M:%S} UTC: {lost.why}\n"


def as_data(lost: LostLines) -> str:
    """For programs."""
    told = {"event": "lines lost", "lines": lost.lines, "since": lost.since.isoformat(), "why": lost.why}
    return f"{json.dumps(told)}\n"


def unseen(_: LostLines) -> str:
    """No notice for a live screen: its next drawing replaces the lost one."""
    return ""
