"""What faults happen to: a web, a command that works on it, a clock and a disk that can be spoilt."""

import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from chaos import clock, disk
from chaos.clock import WallClock
from chaos.disk import SmallDisk
from tests.support.crawl import Crawl, Run
from tests.support.web import Web

DISK_MB = 400
STOP_PATIENCE_S = 60.0
_LOOK_EVERY_S = 0.02
# A host that was cut off is asked again within seconds, not minutes.
_QUICK = {"OUTRIDER_BREAKER_FAILURES": "2", "OUTRIDER_BREAKER_REST": "1", "OUTRIDER_PATIENCE": "60"}

Start = Callable[[Path, Mapping[str, str]], Run]


@dataclass(frozen=True, slots=True)
class Stage:
    """One run under fire."""

    web: Web
    run: Run
    dice: random.Random
    clock: WallClock | None
    disk: SmallDisk | None

    def wait_for_requests(self, more: int, *, timeout_s: float = 60.0) -> None:
        """Until that many more were answered; a run that ends before leaves nothing to shoot at."""
        wanted = self.web.requests() + more
        give_up_at = time.monotonic() + timeout_s
        while self.web.requests() < wanted:
            if not self.run.is_running:
                raise AssertionError(f"the run ended by itself\n{self.run.output()[-3000:]}")
            if time.monotonic() > give_up_at:
                raise AssertionError(f"no {more} requests in {timeout_s} s\n{self.run.output()[-3000:]}")
            time.sleep(_LOOK_EVERY_S)

    def wait_until_all_are_known(self) -> None:
        """Until every host has told its rules and shown a page: from then on all of them are under way."""
        self.wait_for_requests(2 * len(self.web.addresses))

    def is_served(self) -> bool:
        return bool(self.run.server_processes())


def crawl_of(web: Web, *options: str, environment: Mapping[str, str] | None = None) -> Start:
    """A crawl of everything the web has."""
    ours = environment or {}
    return lambda data, staged: Crawl(data, web.seeds, *options, environment={**staged, **ours})


@contextmanager
def staged(folder: Path, web: Web, start: Start, seed: int) -> Iterator[Stage]:
    """A run in this folder. Where disks or clocks cannot be spoilt, it does without."""
    with ExitStack() as stack:
        small = None if disk.why_not() else stack.enter_context(SmallDisk.mounted(folder / "data", DISK_MB))
        wall = None if clock.why_not() else WallClock(folder / "clock")
        environment = _QUICK | dict(wall.environment if wall else {})
        run = stack.enter_context(start(folder / "data", environment))
        stage = Stage(web, run, random.Random(seed), wall, small)
        try:
            yield stage
        finally:
            run.kill()
            stop_server(stage)


def stop_server(stage: Stage) -> None:
    """Whatever was done to its keeper, PostgreSQL does not stay behind."""
    give_up_at = time.monotonic() + STOP_PATIENCE_S
    stage.run.stop_postgres()
    while stage.is_served() and time.monotonic() < give_up_at:
        time.sleep(_LOOK_EVERY_S)
