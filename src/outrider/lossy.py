"""Text streams that drop lines instead of raising: a full disk must not stop the work that logs to it.

    out = lossy(sys.stderr, lambda lost: f"{lost.lines} lines were lost since {lost.since}\\n")

Lines that cannot be written are dropped and counted. When writing works again, `notice` is written first.
"""

import io
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


@dataclass(frozen=True, slots=True)
class LostLines:
    """Lines that could not be written and are not reported yet."""

    lines: int
    since: datetime
    why: str  # the error of the first of them


Notice = Callable[[LostLines], str]


def lossy(stream: TextIO, notice: Notice) -> TextIO:
    """A stream to the same file that may drop lines. A stream in memory is returned as it is."""
    try:
        file = LossyFile(stream.fileno(), notice)
    except io.UnsupportedOperation:
        return stream
    return io.TextIOWrapper(file, stream.encoding, "backslashreplace", line_buffering=True)


def take_losses(stream: TextIO) -> int:
    """How many lost lines the stream still cannot report. The caller reports them elsewhere."""
    stream.flush()
    file = getattr(stream, "buffer", None)
    return file.take_losses() if isinstance(file, LossyFile) else 0


class LossyFile(io.FileIO):
    """An unbuffered writer to an open descriptor: a line is written, or counted as lost."""

    def __init__(self, descriptor: int, notice: Notice) -> None:
        super().__init__(descriptor, "w", closefd=False)
        self._lost: LostLines | None = None
        self._notice = notice
        self._is_torn = False  # the file ends in half a line, so the next line starts with a line break
        self._one_at_a_time = threading.RLock()

    def write(self, data: "ReadableBuffer", /) -> int:
        """Write `data`, or count its lines as lost. Never raises OSError."""
        text = bytes(data)
        with self._one_at_a_time:
            try:
                self._tell()
                self._put(text)
            except OSError as error:
                self._lose(text, error)
        return len(text)

    def flush(self) -> None:
        """Write the notice about lost lines, if writing works again."""
        super().flush()
        with self._one_at_a_time, suppress(OSError):
            self._tell()

    def take_losses(self) -> int:
        """Return the number of lost lines and reset it."""
        with self._one_at_a_time:
            lost, self._lost = self._lost, None
        return lost.lines if lost else 0

    def _tell(self) -> None:
        if self._lost is not None and self._lost.lines:
            self._put(self._notice(self._lost).encode())
            self._lost = None

    def _put(self, text: bytes) -> None:
        """Write all of `text`; raises OSError when a part could not be written."""
        whole, written = b"\n" + text if self._is_torn else text, 0
        try:
            while written < len(whole):
                written += os.write(self.fileno(), memoryview(whole)[written:])
        except OSError:
            if written:
                self._is_torn = whole[written - 1 : written] != b"\n"
            raise
        self._is_torn = False

    def _lose(self, text: bytes, error: OSError) -> None:
        lines = text.count(b"\n")  # may be 0: a long line can arrive in several writes
        if self._lost is None:
            self._lost = LostLines(lines, datetime.now(UTC), error.strerror or str(error))
        else:
            self._lost = replace(self._lost, lines=self._lost.lines + lines)
