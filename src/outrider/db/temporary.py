"""Temporary folders for databases: removed by their process, or after a crash by the next one."""

import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from outrider.db import postmaster
from outrider.db.locks import try_lock

_STOP_PATIENCE_S = 60.0
_LOOK_EVERY_S = 0.05
_ABANDONED_AFTER_S = 3600.0  # a new folder is not locked yet


@contextmanager
def temporary_folder(purpose: str) -> Iterator[Path]:
    """A folder that PostgreSQL can enter, even as another user; removed once its server has stopped.

    Folders for the same purpose whose processes were killed are removed first.
    """
    for left in Path(tempfile.gettempdir()).glob(f"outrider-{purpose}-*"):
        if _is_abandoned(left):
            shutil.rmtree(left, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=f"outrider-{purpose}-"))
    folder.chmod(0o755)  # for root, PostgreSQL runs as another user
    lock = _open(folder)
    try_lock(lock)
    try:
        yield folder
    finally:
        _wait_for_server_stop(folder)
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _wait_for_server_stop(folder: Path) -> None:
    """Wait until the server stops, which its keeper does after the last use."""
    give_up_at = time.monotonic() + _STOP_PATIENCE_S
    while _is_served(folder) and time.monotonic() < give_up_at:
        time.sleep(_LOOK_EVERY_S)


def _is_abandoned(folder: Path) -> bool:
    with suppress(OSError):  # the folder may be removed meanwhile
        facts = folder.lstat()
        is_ours = stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.geteuid()
        is_old = time.time() - facts.st_mtime > _ABANDONED_AFTER_S
        return is_ours and is_old and not _is_served(folder) and not _is_locked(folder)
    return False


def _is_served(folder: Path) -> bool:
    places = (*folder.glob("database/data"), *folder.glob("*/database/data"))
    return any(postmaster.find(data) for data in places)


def _is_locked(folder: Path) -> bool:
    lock = _open(folder)
    try:
        return not try_lock(lock)
    finally:
        os.close(lock)


def _open(folder: Path) -> int:
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
