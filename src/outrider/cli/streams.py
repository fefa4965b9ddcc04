"""What standard output and standard error do where they cannot be written, on a full disk for instance.

An answer must arrive, or the command fails. What is said on standard error and how a crawl goes may be lost:
neither is worth more than the work it tells of.
"""

import io
import json
import os
import sys
from typing import TYPE_CHECKING, TextIO

from outrider.errors import Unavailable
from outrider.lossy import Lost, Notice, lossy

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class Unwritable(Unavailable):
    """Standard output does not take an answer."""


class AnswerFile(io.FileIO):
    """Standard output, whose errors have to be told from those of all other files."""

    def write(self, data: "ReadableBuffer", /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            raise  # no failure: whoever reads us has read enough
        except OSError as error:
            raise Unwritable(f"standard output cannot be written: {error.strerror or error}") from error


def set_up() -> None:
    """Give this process the streams that commands speak through. One that is closed stays closed."""
    if sys.stdout:
        sys.stdout = _answers(sys.stdout)
    if sys.stderr:
        sys.stderr = lossy(sys.stderr, in_words)


def _answers(stream: TextIO) -> TextIO:
    file = io.BufferedWriter(AnswerFile(stream.fileno(), "w", closefd=False))
    return io.TextIOWrapper(file, stream.encoding, stream.errors, line_buffering=stream.isatty())


def finish_answer() -> None:
    """Write what is still buffered, while there is somebody to tell that it cannot be."""
    if sys.stdout:
        sys.stdout.flush()


def drop_answer() -> None:
    """Give up what standard output did not take, or the interpreter would try again as it leaves."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def progress(notice: Notice) -> TextIO:
    """Standard output for lines that tell how it goes: it goes on without them."""
    return lossy(sys.stdout, notice)


def in_words(lost: Lost) -> str:
    """For people."""
    lines = "1 line was" if lost.lines == 1 else f"{lost.lines:,} lines were"
    return f"outrider: {lines} lost here since {lost.since:%Y-%m-%d %H:%M:%S} UTC: {lost.why}\n"


def as_data(lost: Lost) -> str:
    """For programs."""
    told = {"event": "lines lost", "lines": lost.lines, "since": lost.since.isoformat(), "why": lost.why}
    return f"{json.dumps(told)}\n"


def unseen(_: Lost) -> str:
    """For a screen, whose next picture is as good as the one it lost."""
    return ""
