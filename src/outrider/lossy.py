"""Text streams that lose lines rather than raise: no work ends because the disk under its log is full.

    out = lossy(sys.stderr, lambda lost: f"{lost.lines} lines were lost since {lost.since}\\n")

What cannot be written is dropped and counted. As soon as writing works again, the notice comes first.
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
class Lost:
    """Lines that could not be written and that nobody was told of yet."""

    lines: int
    since: datetime
    why: str  # the first of them could not


Notice = Callable[[Lost], str]


def lossy(stream: TextIO, notice: Notice) -> TextIO:
    """The same file for lines that may be lost. A stream in memory stays as it is: it takes everything."""
    try:
        file = LossyFile(stream.fileno(), notice)
    except io.UnsupportedOperation:
        return stream
    return io.TextIOWrapper(file, stream.encoding, "backslashreplace", line_buffering=True)


def take_losses(stream: TextIO) -> int:
    """How many lines a stream lost and cannot tell of even now; whoever asks tells of them elsewhere."""
    stream.flush()
    file = getattr(stream, "buffer", None)
    return file.take_losses() if isinstance(file, LossyFile) else 0


class LossyFile(io.FileIO):
    """An open file of somebody else's, without a buffer: a line is in it, or it is lost."""

    def __init__(self, descriptor: int, notice: Notice) -> None:
        super().__init__(descriptor, "w", closefd=False)
        self._lost: Lost | None = None
        self._notice = notice
        self._is_torn = False  # half a line is in the file, and the next must not go on from there
        self._one_at_a_time = threading.RLock()

    def write(self, data: "ReadableBuffer", /) -> int:
        """Take all of it, whatever becomes of it."""
        text = bytes(data)
        with self._one_at_a_time:
            try:
                self._tell()
                self._put(text)
            except OSError as error:
                self._lose(text, error)
        return len(text)

    def flush(self) -> None:
        """Tell of what was lost, if that is possible now."""
        super().flush()
        with self._one_at_a_time, suppress(OSError):
            self._tell()

    def take_losses(self) -> int:
        """Forget the lines that were lost, and say how many they were."""
        with self._one_at_a_time:
            lost, self._lost = self._lost, None
        return lost.lines if lost else 0

    def _tell(self) -> None:
        if self._lost is not None and self._lost.lines:
            self._put(self._notice(self._lost).encode())
            self._lost = None

    def _put(self, text: bytes) -> None:
        """All of it; raises OSError when a part is left."""
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
        lines = text.count(b"\n")  # the end of a long line may come by itself
        if self._lost is None:
            self._lost = Lost(lines, datetime.now(UTC), error.strerror or str(error))
        else:
            self._lost = replace(self._lost, lines=self._lost.lines + lines)
