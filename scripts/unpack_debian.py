"""Unpack a program of Debian into a folder of the project, without installing it.

Without root it needs apt's package lists to be there already.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

LONGEST_S = 120


def unpack_debian(package: str, folder: Path, program: str, is_needed: Callable[[str], bool]) -> str | None:
    """Unpack a package and the libraries that are needed; returns the reason if that fails."""
    if not (shutil.which("apt-get") and shutil.which("dpkg")):
        return f"this machine has no apt; Debian has it as `{package}`"
    downloads = folder / "downloads"
    downloads.mkdir(parents=True, exist_ok=True)
    try:
        if not _run(["apt-cache", "show", package], folder) and os.geteuid() == 0:
            _run(["apt-get", "update", "-qq"], folder)
        if not _run(
            ["apt-get", "download", "-qq", package, *_depends(package, folder, is_needed)], downloads
        ):
            return f"apt cannot download the package `{package}`"
        for each in downloads.glob("*.deb"):
            if not _run(["dpkg", "-x", str(each), str(folder)], folder):
                return f"{each.name} cannot be unpacked"
        if not (folder / program).exists():
            return f"the package `{package}` has no {program}"
        return None
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    finally:
        shutil.rmtree(downloads, ignore_errors=True)


def _depends(package: str, folder: Path, is_needed: Callable[[str], bool]) -> list[str]:
    listed = subprocess.run(
        ["apt-cache", "depends", package],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
        check=False,
    ).stdout
    names = [line.split()[-1] for line in listed.splitlines() if line.strip().startswith("Depends: lib")]
    return list(filter(is_needed, names))


def _run(command: list[str], folder: Path) -> bool:
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=LONGEST_S, check=False)
    return done.returncode == 0
