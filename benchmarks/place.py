"""Where a benchmark keeps its data: on the disk for temporary files, gone afterwards."""

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from outrider.db import postmaster

_STOP_PATIENCE_S = 60.0


@contextmanager
def scratch() -> Iterator[Path]:
    """A directory that PostgreSQL can enter whoever we are; removed once its server has stopped."""
    folder = Path(tempfile.mkdtemp(prefix="outrider-bench-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        give_up_at = time.monotonic() + _STOP_PATIENCE_S
        while _is_served(folder) and time.monotonic() < give_up_at:
            time.sleep(0.05)
        shutil.rmtree(folder, ignore_errors=True)


def _is_served(folder: Path) -> bool:
    return any(postmaster.find(home / "data") for home in folder.glob("*/database"))
