"""Where archived logs are kept: objects with keys, such as `logs/JOB/3.log.gz`."""

import os
import shutil
from pathlib import Path
from typing import BinaryIO, Protocol
from uuid import uuid4


class ObjectStore(Protocol):
    """A store of objects. The methods block, so callers use a thread."""

    def put(self, key: str, source: Path) -> None:
        """Store a copy of a file under a key, whole or not at all."""

    def open(self, key: str) -> BinaryIO | None:
        """Read an object; None if there is none."""

    def delete(self, key: str) -> None:
        """Remove an object, if it exists."""


class FileStore:
    """Objects as files below a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, key: str, source: Path) -> None:
        target = self._path(key)
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_name(f".{target.name}.{uuid4().hex}")
        try:
            with source.open("rb") as read, partial.open("wb") as write:
                shutil.copyfileobj(read, write)
                write.flush()
                os.fsync(write.fileno())
            partial.replace(target)
            _sync(target.parent)
        finally:
            partial.unlink(missing_ok=True)

    def open(self, key: str) -> BinaryIO | None:
        try:
            return self._path(key).open("rb")
        except FileNotFoundError:
            return None

    def delete(self, key: str) -> None:
        self._path(key).unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        parts = key.split("/")
        if any(part in ("", ".", "..") or "\0" in part for part in parts):
            raise ValueError(f"{key!r} is not the key of an object")
        return self._folder.joinpath(*parts)


def _sync(folder: Path) -> None:
    """Make the new name in a folder survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
