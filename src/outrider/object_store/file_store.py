"""Objects as files below a folder."""

import os
import shutil
from io import BytesIO
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from outrider.object_store.model import key_parts


class FileStore:
    """Objects as files below a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, key: str, source: Path | bytes) -> None:
        target = self._path(key)
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_name(f".{uuid4().hex}")
        try:
            with _reader(source) as read, partial.open("wb") as write:
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
        return self._folder.joinpath(*key_parts(key))


def _reader(source: Path | bytes) -> BinaryIO:
    return source.open("rb") if isinstance(source, Path) else BytesIO(source)


def _sync(folder: Path) -> None:
    """Make the new name in a folder survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
