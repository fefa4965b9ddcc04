"""How long a cancelled run goes on: a crawl with many queued pages, cancelled by another process.

The times are read from the log of the web server and from the row of the run.
"""

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from tests.support.crawl import Crawl, Run
from tests.support.web import Web

HOSTS = 40
PAGES_PER_HOST = 350
QUEUED = 10_000  # pages that wait when the run is cancelled
WARM = 1_000  # requests before that: every host has been asked several times
DELAY_S = 0.2
GOAL_S = 2.0
_PATIENCE_S = 60.0
_QUIET_S = 3.0  # so long the log is read after the run has ended


@dataclass(frozen=True, slots=True)
class CancelCost:
    """The last request of a cancelled run, and its end, in seconds."""

    queued: int
    hosts: int
    requests_per_s: float
    after_acceptance_s: float  # the last request, from the time at which the cancel was committed
    after_command_s: float  # the last request, from the start of the command
    ended_s: float  # the end of the run, from the start of the command

    def told(self) -> str:
        return (
            f"A run with {self.queued:,} queued pages on {self.hosts} hosts at {self.requests_per_s:.0f} "
            f"requests/s was cancelled by another process. Its last request began "
            f"{self.after_acceptance_s:.2f} s after the cancel was accepted and {self.after_command_s:.2f} s "
            f"after the command was started; the run had ended after {self.ended_s:.2f} s. "
            f"The goal is {GOAL_S:.0f} s from acceptance."
        )


def measure_cancel(folder: Path) -> CancelCost:
    """Start a crawl, cancel its run while QUEUED pages wait, and read the log of the web server."""
    with (
        Web.start(folder / "web", hosts=HOSTS, pages_per_host=PAGES_PER_HOST) as web,
        Crawl(folder / "data", web.seeds, "--workers", "2", "--delay", str(DELAY_S)) as crawl,
    ):
        while web.requests() < WARM:
            if not crawl.is_running:
                raise RuntimeError(crawl.output()[-2000:])
            time.sleep(0.2)
        return _cancel(crawl, web)


def _cancel(crawl: Run, web: Web) -> CancelCost:
    while (queued := _ask(crawl, "run", "show", "last")["progress"]["waiting"]) < QUEUED:
        if not crawl.is_running:
            raise RuntimeError(f"{queued} pages were queued, never {QUEUED}")
    started_at = time.time()
    _ask(crawl, "run", "cancel", "last")
    crawl.wait(_PATIENCE_S)
    run = _ask(crawl, "run", "show", "last")
    time.sleep(_QUIET_S)
    begun = sorted(hit.started_ms / 1000 for hit in web.log())
    busy = [at for at in begun if started_at - 5 <= at < started_at]
    return CancelCost(
        queued,
        HOSTS,
        len(busy) / 5,
        max(0.0, begun[-1] - datetime.fromisoformat(run["cancel_at"]).timestamp()),
        max(0.0, begun[-1] - started_at),
        datetime.fromisoformat(run["completed_at"]).timestamp() - started_at,
    )


def _ask(crawl: Run, *words: str) -> Any:
    """The answer of a command."""
    command = [sys.executable, "-m", "outrider", *words, "--json"]
    found = subprocess.run(
        command, env=crawl.environment, capture_output=True, text=True, timeout=60, check=False
    )
    if found.returncode:
        raise RuntimeError(f"{' '.join(words)}: {found.stderr or found.stdout}")
    return json.loads(found.stdout)
