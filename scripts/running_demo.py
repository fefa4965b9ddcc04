"""A running `outrider demo --serve` for scripts: starts it, reads its address and password, and ends it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

PATIENCE_S = 300.0  # on a busy machine


@dataclass(frozen=True)
class RunningDemo:
    """Where the demo is, and who may sign in."""

    address: str
    user: str
    password: str


@contextmanager
def running_demo() -> Iterator[RunningDemo]:
    """The demo on a free port, in a directory that is removed afterwards."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OUTRIDER_")}
    process = subprocess.Popen(
        [sys.executable, "-m", "outrider", "demo", "--serve", "--json", "--port", "0"],
        env=environment | {"OUTRIDER_LOG_LEVEL": "error"},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        started = json.loads(process.stdout.readline())
        found = re.search(r"as (\S+) with the password (\S+)", " ".join(started["notices"]))
        assert found is not None
        demo = RunningDemo(started["address"].rstrip("/"), found[1], found[2])
        _wait_until_ready(demo.address)
        yield demo
    finally:
        process.terminate()
        process.wait(60)


def _wait_until_ready(address: str) -> None:
    give_up_at = time.monotonic() + PATIENCE_S
    while True:
        try:
            with urllib.request.urlopen(f"{address}/health/ready", timeout=10):
                return
        except (urllib.error.URLError, OSError):
            if time.monotonic() > give_up_at:
                raise
            time.sleep(0.2)
