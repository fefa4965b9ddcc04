"""A file that takes nothing, as on a full disk, until there is room."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

FULL = Path("/dev/full")


class FullFile:
    """A stream whose every write fails; after `make_room` it leads to a real file."""

    def __init__(self, stream: TextIO, path: Path) -> None:
        self.stream = stream
        self._path = path

    def make_room(self) -> None:
        with self._path.open("a") as file:
            os.dup2(file.fileno(), self.stream.fileno())

    def lines(self) -> list[str]:
        return self._path.read_text().splitlines()


@contextmanager
def full_file(path: Path) -> Iterator[FullFile]:
    with FULL.open("w") as stream:
        yield FullFile(stream, path)
