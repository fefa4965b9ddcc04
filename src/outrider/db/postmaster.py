"""Finds the server process of a data directory from its `postmaster.pid`."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from outrider.db.processes import exists

_PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Postmaster:
    """A live server process."""

    pid: int
    port: str = ""
    socket_dir: str = ""
    is_ready: bool = False  # it takes connections; False while it starts, recovers or stops


def find(data: Path) -> Postmaster | None:
    """The live server of this data directory, or None."""
    lines = _lines(data / "postmaster.pid")
    pid = _pid(lines)
    if pid is None or not _serves(pid, data):
        return None
    if len(lines) < 8:
        return Postmaster(pid)
    return Postmaster(pid, port=lines[3], socket_dir=lines[4], is_ready=lines[7] in {"ready", "standby"})


def discard_stale(data: Path, socket_dir: Path) -> None:
    """Remove pid files whose pid now belongs to a zombie or to another program.

    PostgreSQL detects a dead pid itself, but takes these two for a live server and refuses to start.
    """
    for file in (data / "postmaster.pid", *socket_dir.glob(".s.PGSQL.*.lock")):
        pid = _pid(_lines(file))
        if pid is not None and not _serves(pid, data) and exists(pid):
            file.unlink(missing_ok=True)


def _lines(file: Path) -> list[str]:
    try:
        text = file.read_text(errors="replace")
    except FileNotFoundError:
        return []
    return [line.strip() for line in text.splitlines()]


def _pid(lines: list[str]) -> int | None:
    return int(lines[0]) if lines and lines[0].isdecimal() and len(lines[0]) < 10 else None


def _serves(pid: int, data: Path) -> bool:
    """Whether this is a live server process of `data`: pids are reused, and zombies keep theirs."""
    if not _PROC.joinpath("self").exists():
        return _serves_by_ps(pid, data)
    try:
        state = (_PROC / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()[0]
        arguments = (_PROC / str(pid) / "cmdline").read_bytes().split(b"\0")
    except (FileNotFoundError, ProcessLookupError, IndexError):
        return False
    return state not in {"Z", "X"} and os.fsencode(data) in arguments


def _serves_by_ps(pid: int, data: Path) -> bool:
    """`_serves` for systems without /proc (macOS)."""
    output = subprocess.run(
        ["ps", "-o", "stat=,command=", "-p", str(pid)],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    ).stdout.strip()
    return bool(output) and not output.startswith("Z") and str(data) in output
