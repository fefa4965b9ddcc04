"""Sweeps what rounds left behind that were killed: their commands, servers, disks and folders."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil
from chaos.scratch import abandoned

from outrider.db import postmaster

_LEAVE_PATIENCE_S = 10.0


def sweep(say: Callable[[str], None]) -> None:
    """Only what is in folders of ours, or works on them, and belongs to no living round."""
    with abandoned() as folders:
        for folder in folders:
            _end(folder)
            _unmount(folder)
            shutil.rmtree(folder, ignore_errors=True)
            done = "could not sweep all" if folder.exists() else "swept all"
            say(f"{done} that a killed run had left in {folder}")


def _end(folder: Path) -> None:
    """Commands first: they would start their servers again."""
    for find in (_commands, _servers):
        ended = list(find(folder))
        for process in ended:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(ended, timeout=_LEAVE_PATIENCE_S)


def _commands(folder: Path) -> Iterator[psutil.Process]:
    """With their workers and keepers: whoever was told to keep its data there."""
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.environ().get("OUTRIDER_DATA") == str(folder / "data"):
                yield process


def _servers(folder: Path) -> Iterator[psutil.Process]:
    """PostgreSQL with all it started, and nginx. Who has their pid is asked: it may be a stranger by now."""
    with suppress(psutil.NoSuchProcess):
        if server := postmaster.find(folder / "data" / "database" / "data"):
            first = psutil.Process(server.pid)
            yield from (first, *first.children(recursive=True))
    with suppress(OSError, ValueError, psutil.Error):
        nginx = psutil.Process(int((folder / "web" / "nginx.pid").read_text()))
        if str(folder / "web") in nginx.cmdline():
            yield nginx


def _unmount(folder: Path) -> None:
    for mount in psutil.disk_partitions(all=True):
        if mount.fstype == "tmpfs" and Path(mount.mountpoint).is_relative_to(folder):
            subprocess.run(["umount", "-l", mount.mountpoint], check=False, capture_output=True, timeout=30)
