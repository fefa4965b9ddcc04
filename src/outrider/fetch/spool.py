"""A large body in an anonymous temporary file: in memory while it is small, then on disk."""

import io
import os
import tempfile
from typing import IO, BinaryIO

MEMORY_BYTES = 256 * 1024
_BUFFER_BYTES = 64 * 1024


class Spool:
    """One body. Its space is freed when this object and its readers are closed or collected."""

    def __init__(self) -> None:
        self._file: IO[bytes] = io.BytesIO()
        self.size = 0

    def write(self, data: bytes) -> None:
        """Append; raises OSError when the disk is full."""
        self.size += len(data)
        if self.size > MEMORY_BYTES and isinstance(self._file, io.BytesIO):
            small = self._file.getvalue()
            self._file = tempfile.TemporaryFile(buffering=_BUFFER_BYTES)  # noqa: SIM115
            self._file.write(small)
        self._file.write(data)

    def open(self) -> BinaryIO:
        """A reader at the start of the body. Readers share one position: use one at a time."""
        if isinstance(self._file, io.BytesIO):
            return io.BytesIO(self._file.getvalue())
        self._file.seek(0)
        return os.fdopen(os.dup(self._file.fileno()), "rb")

    def close(self) -> None:
        """Release the body. Open readers stay valid until they are closed."""
        self._file.close()

    def __del__(self) -> None:
        self.close()
