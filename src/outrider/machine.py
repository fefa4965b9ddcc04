"""Which machine this is, so that a process id means something in the database."""

import platform
from pathlib import Path

from outrider.db.processes import exists


def machine_id() -> str:
    """Name, boot and process namespace: where two of these are equal, process ids can be compared."""
    boot = _first_line("/proc/sys/kernel/random/boot_id")[:8]
    return ":".join([platform.node() or "localhost", boot, _namespace()])


def is_alive(pid: int) -> bool:
    """A zombie is not alive."""
    if not exists(pid):
        return False
    stat = _first_line(f"/proc/{pid}/stat")
    return not stat or stat.rpartition(")")[2].split()[0] not in "ZX"


def _namespace() -> str:
    try:
        return str(Path("/proc/self/ns/pid").readlink())[5:-1]
    except OSError:
        return ""


def _first_line(path: str) -> str:
    try:
        return Path(path).read_text().partition("\n")[0]
    except OSError:
        return ""
