"""Checks whether a process exists."""

import os


def exists(pid: int) -> bool:
    """Whether any process, even a zombie, has this pid."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
