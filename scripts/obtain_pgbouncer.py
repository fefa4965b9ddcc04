"""Get PgBouncer for the tests: Debian's package, unpacked into a folder of the project and not installed.

Without root it needs apt's package lists to be there already. Where it cannot be had, its tests are skipped.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

USUAL_PLACES = "/usr/sbin:/usr/bin:/usr/local/bin:/opt/homebrew/bin"
LONGEST_S = 120
OF_THE_SYSTEM = ("libc6", "libpam", "libssl", "libsystemd")  # there wherever apt is


def obtain_pgbouncer(folder: Path) -> bool:
    """True when the tests will find one."""
    if shutil.which("pgbouncer", path=USUAL_PLACES) or (folder / "usr/sbin/pgbouncer").exists():
        return True
    if not (shutil.which("apt-get") and shutil.which("dpkg")):
        return False
    downloads = folder / "downloads"
    downloads.mkdir(parents=True, exist_ok=True)
    try:
        if not _run(["apt-cache", "show", "pgbouncer"], folder) and os.geteuid() == 0:
            _run(["apt-get", "update", "-qq"], folder)
        if not _run(["apt-get", "download", "-qq", "pgbouncer", *_libraries(folder)], downloads):
            return False
        return all(_run(["dpkg", "-x", str(each), str(folder)], folder) for each in downloads.glob("*.deb"))
    except (OSError, subprocess.TimeoutExpired):
        return False
    finally:
        shutil.rmtree(downloads, ignore_errors=True)


def _libraries(folder: Path) -> list[str]:
    """The libraries that it needs besides those of every system."""
    listed = subprocess.run(
        ["apt-cache", "depends", "pgbouncer"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
        check=False,
    ).stdout
    names = [line.split()[-1] for line in listed.splitlines() if line.strip().startswith("Depends: lib")]
    return [name for name in names if not name.startswith(OF_THE_SYSTEM)]


def _run(command: list[str], folder: Path) -> bool:
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=LONGEST_S, check=False)
    return done.returncode == 0
