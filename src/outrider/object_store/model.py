"""What a store of objects can do, and which keys are allowed."""

from pathlib import Path
from typing import BinaryIO, Protocol

LONGEST_KEY = 1_024  # bytes, the limit of S3


class ObjectStore(Protocol):
    """A store of objects. The methods block, so callers use a thread."""

    def put(self, key: str, source: Path | bytes) -> None:
        """Store a copy of a file or of bytes under a key, whole or not at all."""

    def open(self, key: str) -> BinaryIO | None:
        """Read an object; None if there is none."""

    def delete(self, key: str) -> None:
        """Remove an object, if it exists."""


def key_parts(key: str) -> list[str]:
    """The parts of a key between its slashes; raises ValueError for a key that could leave its store."""
    parts = key.split("/")
    is_unsafe = any(part in ("", ".", "..") or "\0" in part for part in parts)
    if is_unsafe or len(key.encode()) > LONGEST_KEY:
        raise ValueError(f"{key[:200]!r} is not the key of an object")
    return parts
