"""Identify this machine, so that process ids in the database can be checked."""

import platform
from pathlib import Path

from outrider.db.processes import exists


def machine_id() -> str:
    """Name, boot id and process namespace. Process ids are comparable only where all three are equal."""
    boot = _first_line("/proc/sys/kernel/random/boot_id")[:8]
    return ":".join([platform.node() or "localhost", boot, _namespace()])


def is_alive(pid: int) -> bool:
    """Whether the process exists and is not a zombie."""
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
