"""File locks, which the kernel releases even if their holder is killed."""

import errno
import fcntl
import os
import time
from pathlib import Path

from outrider.errors import Misconfigured, Unavailable

_POLL_S = 0.02


def open_lock(path: Path) -> int:
    """Open a file to lock. The descriptor does not survive exec, so child programs hold no lock."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    if os.geteuid() == 0:
        # The owner of the directory must be able to use the file without root.
        owner = path.parent.stat()
        os.fchown(descriptor, owner.st_uid, owner.st_gid)
    return descriptor


def try_lock(descriptor: int, *, shared: bool = False) -> bool:
    """Take the lock if it is free; False when it is not."""
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno in {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP}:
            raise Misconfigured(
                "the file system of the data directory has no file locks: choose a local one with --data"
            ) from error
        raise
    return True


def wait_lock(descriptor: int, *, patience_s: float, what: str, shared: bool = False) -> None:
    """Take the lock; after `patience_s` raise Unavailable, which names `what`."""
    give_up_at = time.monotonic() + patience_s
    while not try_lock(descriptor, shared=shared):
        if time.monotonic() > give_up_at:
            raise Unavailable(f"waited {patience_s:.0f} seconds for {what}")
        time.sleep(_POLL_S)
