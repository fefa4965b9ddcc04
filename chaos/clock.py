"""A wall clock that can be set: for PostgreSQL, workers and command alike, as on a machine whose clock is."""

import shutil
import struct
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

_SOURCE = Path(__file__).with_name("clock.c")
_SECOND_NS = 1_000_000_000


def why_not() -> str | None:
    """What keeps clocks from jumping here."""
    return None if shutil.which("cc") else "no C compiler (cc) to build the clock with"


class WallClock:
    """The time of day of every process started with `environment`; web servers keep the true one."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._library, self._offset = folder / "clock.so", folder / "clock.offset"
        command = ["cc", "-shared", "-fPIC", "-O2", "-o", str(self._library), str(_SOURCE)]
        subprocess.run(command, check=True, capture_output=True, timeout=60)
        self._skew_s = 0.0
        self._jumps: list[tuple[float, float]] = []  # when it was set, and by how much it is ahead since then
        self.jump(0.0)
        # PostgreSQL may be another user.
        self._library.chmod(0o755)
        self._offset.chmod(0o644)

    @property
    def environment(self) -> Mapping[str, str]:
        return {"LD_PRELOAD": str(self._library), "CHAOS_CLOCK": str(self._offset)}

    def jump(self, by_s: float) -> None:
        """Set the clock, at once and for all; the file is mapped, so it is written in place."""
        self._skew_s += by_s
        with self._offset.open("r+b" if self._offset.exists() else "w+b") as file:
            file.write(struct.pack("=q", int(self._skew_s * _SECOND_NS)))
        self._jumps.append((time.time() * 1000, self._skew_s * 1000))

    def true_ms(self, shown_ms: float) -> float:
        """The true time at which this clock showed that time, at last if it did so more than once."""
        for set_ms, ahead_ms in reversed(self._jumps):
            if shown_ms - ahead_ms >= set_ms:
                return shown_ms - ahead_ms
        return shown_ms
