"""Get PgBouncer for the tests: Debian's package, unpacked into a folder of the project and not installed.

Where it cannot be had, its tests are skipped.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from unpack_debian import unpack_debian

USUAL_PLACES = "/usr/sbin:/usr/bin:/usr/local/bin:/opt/homebrew/bin"
PROGRAM = "usr/sbin/pgbouncer"
OF_THE_SYSTEM = ("libc6", "libpam", "libssl", "libsystemd")  # there wherever apt is


def obtain_pgbouncer(folder: Path) -> bool:
    """True when the tests will find one."""
    if shutil.which("pgbouncer", path=USUAL_PLACES) or (folder / PROGRAM).exists():
        return True
    return unpack_debian("pgbouncer", folder, PROGRAM, _is_needed) is None


def _is_needed(library: str) -> bool:
    return not library.startswith(OF_THE_SYSTEM)
