"""A disk that can be full: a small file system for the data directory, and a file that fills it."""

import errno
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

_BLOCK = b"\0" * 65_536


def why_not() -> str | None:
    """What keeps disks from being full here."""
    return None if os.geteuid() == 0 else "mounting a small file system needs root"


class SmallDisk:
    """A mounted file system. `with SmallDisk.mounted(…) as disk:` takes it away again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    @classmethod
    @contextmanager
    def mounted(cls, folder: Path, megabytes: int) -> Iterator[Self]:
        folder.mkdir(parents=True, exist_ok=True)
        options = f"size={megabytes}m,mode=755"
        _run("mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder))
        try:
            yield cls(folder)
        finally:
            # Lazily: the keeper may still be stopping the server, whose files go with it.
            _run("umount", "-l", str(folder))

    def fill(self) -> None:
        """Until not one byte more fits."""
        with self._ballast.open("ab", buffering=0) as file:
            size = len(_BLOCK)
            while size:
                try:
                    file.write(_BLOCK[:size])
                except OSError as error:
                    if error.errno != errno.ENOSPC:
                        raise
                    size //= 2

    def clear(self) -> None:
        """Somebody made room."""
        self._ballast.unlink(missing_ok=True)


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, timeout=30)
