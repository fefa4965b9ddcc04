"""A folder for one round, locked while the round lives; without a lock, its round was killed."""

import os
import shutil
import signal
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from chaos.stopping import ENDINGS

from outrider.db.locks import try_lock

_PREFIX = "outrider-chaos-"


@contextmanager
def scratch() -> Iterator[Path]:
    """A temporary directory that PostgreSQL can enter whoever we are."""
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDINGS)  # ended in between, we would leave the folder behind
    folder, lock = _locked_folder()
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDINGS)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


@contextmanager
def abandoned() -> Iterator[list[Path]]:
    """Folders of ours whose rounds are dead; nobody else gets to see them meanwhile."""
    locks: list[int] = []
    found = []
    try:
        for folder in sorted(Path(tempfile.gettempdir()).glob(f"{_PREFIX}*")):
            with suppress(OSError):  # it may go while we look
                facts = folder.lstat()
                if not stat.S_ISDIR(facts.st_mode) or facts.st_uid != os.geteuid():
                    continue
                locks.append(_open(folder))
                if try_lock(locks[-1]):
                    found.append(folder)
        yield found
    finally:
        for lock in locks:
            os.close(lock)


def _locked_folder() -> tuple[Path, int]:
    hidden = Path(tempfile.mkdtemp(prefix=f".{_PREFIX}"))
    hidden.chmod(0o755)
    lock = _open(hidden)
    try_lock(lock)
    return hidden.rename(hidden.with_name(hidden.name.removeprefix("."))), lock  # never seen without its lock


def _open(folder: Path) -> int:
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
