"""`outrider` run as people run it, to its end."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# No setting of whoever runs the tests, and nothing that waits for politeness on loopback.
_SETTINGS = {"OUTRIDER_ALLOW_PRIVATE": "127.0.0.0/8", "OUTRIDER_DELAY": "0", "COLUMNS": "200"}


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended and what it said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        """JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]


def outrider(*arguments: str, settings: Mapping[str, str] | None = None, timeout: float = 60.0) -> Ran:
    """Run one command under these settings only."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("OUTRIDER_")}
    ended = subprocess.run(
        [sys.executable, "-m", "outrider", *arguments],
        env=inherited | _SETTINGS | (settings or {}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=timeout,
        check=False,
    )
    return Ran(ended.returncode, ended.stdout.decode(), ended.stderr.decode())
