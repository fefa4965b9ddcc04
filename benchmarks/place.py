"""Where a benchmark keeps its data: on the disk for temporary files, gone afterwards."""

from contextlib import AbstractContextManager
from pathlib import Path

from outrider.db.temporary import temporary_folder


def scratch() -> AbstractContextManager[Path]:
    """A folder of its own; what benchmarks that were killed left behind goes first."""
    return temporary_folder("bench")
