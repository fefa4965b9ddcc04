"""Whether a process is there."""

import os


def exists(pid: int) -> bool:
    """Ours or not; a zombie is there, too."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
