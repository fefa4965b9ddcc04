"""Looks into a crawl's worker with py-spy while it runs, and counts where it was met."""

import os
import signal
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from benchmarks import bench_environment
from benchmarks.crawl import MARGIN, Moment
from benchmarks.crawlers import OutriderRunning, Running
from benchmarks.profile.queueing import first_in_line, ran_and_waited

RATE = 200  # a second; the worker stands still for each
PATIENCE_S = 30.0
ADVICE = "run it as root, or set kernel.yama.ptrace_scope to 0; in a container, add the capability SYS_PTRACE"


class CannotSample(Exception):
    """Why nobody can look into a process here, and what to do about it."""


def check() -> None:
    """Try it on ourselves, before anything is measured."""
    command = [_py_spy(), "dump", "--pid", str(os.getpid())]
    tried = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    if tried.returncode != 0:
        raise _refused(tried.stderr)


@dataclass(frozen=True, slots=True)
class Samples:
    """How often each folded stack was met, and what the worker did meanwhile."""

    stacks: Counter[str]
    ran_s: float
    waited_s: float  # ready to run, and no processor was free


class Sampler:
    """Shown each look at a crawl of `pages` pages, it samples the worker between the margins."""

    def __init__(self, pages: int, file: Path) -> None:
        self.samples: Samples | None = None
        self._pages = pages
        self._file = file
        self._process: subprocess.Popen[str] | None = None
        self._worker = 0
        self._before = (0.0, 0.0)

    def look(self, moment: Moment, running: Running) -> None:
        assert isinstance(running, OutriderRunning)
        if self._process is None:
            if moment.requests >= MARGIN * self._pages:
                self._process = self._start(running.workers()[0].pid)
        elif self.samples is None and moment.requests >= (1 - MARGIN) * self._pages:
            self.samples = self._stop(self._process)

    def close(self) -> None:
        """However the crawl ended, nothing is left running."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def _start(self, worker: int) -> subprocess.Popen[str]:
        options = ["--rate", str(RATE), "--format", "raw", "--output", str(self._file)]
        process = subprocess.Popen(
            [_py_spy(), "record", "--pid", str(worker), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        first_in_line(worker, rank=1)
        first_in_line(process.pid, rank=2)
        self._worker, self._before = worker, ran_and_waited(worker)
        return process

    def _stop(self, process: subprocess.Popen[str]) -> Samples:
        ran_s, waited_s = ran_and_waited(self._worker)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=PATIENCE_S)
        if process.returncode != 0:
            raise _refused(said)
        stacks = folded(self._file.read_text())
        return Samples(stacks, ran_s - self._before[0], waited_s - self._before[1])


def folded(text: str) -> Counter[str]:
    """`outer (file:line);inner (file:line) 12`, a line for each stack, with how often it was met."""
    stacks: Counter[str] = Counter()
    for line in text.splitlines():
        stack, _, times = line.rpartition(" ")
        stacks[stack] += int(times)
    return stacks


def _py_spy() -> str:
    program = bench_environment.python().with_name("py-spy")
    if not program.exists():
        raise CannotSample("py-spy is not in .venv-bench; `python3 scripts/bootstrap.py bench` puts it there")
    return str(program)


def _refused(said: str) -> CannotSample:
    if "permission" in said.lower():
        return CannotSample(f"py-spy may not look into processes here: {ADVICE}")
    *_, gist = said.strip().splitlines() or ["it said nothing"]
    return CannotSample(f"py-spy could not look into a process: {gist}")
