"""Those who crawl: Outrider by its command, the others by a script each in benchmarks/peers."""

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import psutil
from benchmarks import bench_environment
from benchmarks.processes import below_cpu_s, cpu_s, ended_cpu_s, server_cpu_s, tree_cpu_s
from tests.support.crawl import Crawl
from tests.support.web import Web

from outrider.db import postmaster
from outrider.db.embedded import EmbeddedPostgres

SETTINGS = {"OUTRIDER_TIMEOUT": "30", "OUTRIDER_LEASE": "90", "OUTRIDER_LOG_LEVEL": "warning"}


class Running(Protocol):
    """A crawl under way."""

    @property
    def is_running(self) -> bool: ...

    def cpu_s(self) -> dict[str, float]:
        """CPU seconds so far, by part; once it has ended, all of them."""

    def processes(self) -> Sequence[psutil.Process]:
        """All that belong to it."""

    def check(self) -> None:
        """Once it has ended: raises unless it ended well."""


class Crawler(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def workers(self) -> int: ...

    def crawl(self, web: Web, folder: Path) -> AbstractContextManager[Running]: ...


@dataclass(frozen=True, slots=True)
class Outrider:
    """The product's own settings, in a database that was made beforehand: setting one up is not crawling."""

    workers: int
    name: str = "Outrider"

    @contextmanager
    def crawl(self, web: Web, folder: Path) -> Iterator["OutriderRunning"]:
        options = ("--workers", str(self.workers), "--delay", "0")
        with (
            EmbeddedPostgres(folder / "crawl", {}),
            Crawl(folder / "crawl", web.seeds, *options, environment=SETTINGS) as crawl,
        ):
            yield OutriderRunning(crawl)


class OutriderRunning:
    def __init__(self, crawl: Crawl) -> None:
        server = postmaster.find(crawl.data / "database" / "data")
        if server is None:
            raise RuntimeError("PostgreSQL is gone")
        self._crawl = crawl
        self._server_pid = server.pid
        self._command = psutil.Process(crawl.pid)
        self._ended_before_s = ended_cpu_s()
        self._spent = {"workers": 0.0, "PostgreSQL": 0.0, "command": 0.0}

    @property
    def is_running(self) -> bool:
        return self._crawl.is_running

    def cpu_s(self) -> dict[str, float]:
        self._spent["PostgreSQL"] = server_cpu_s(self._server_pid)
        if self.is_running:
            with suppress(psutil.NoSuchProcess):
                self._spent["workers"] = below_cpu_s(self._command)
                self._spent["command"] = cpu_s([self._command])
        else:
            self._spent["workers"] = ended_cpu_s() - self._ended_before_s - self._spent["command"]
        return dict(self._spent)

    def processes(self) -> Sequence[psutil.Process]:
        with suppress(psutil.NoSuchProcess):
            workers = self._command.children(recursive=True)
            return [self._command, *workers, *self._crawl.server_processes()]
        return []

    def workers(self) -> Sequence[psutil.Process]:
        return self._crawl.workers()

    def check(self) -> None:
        if self._crawl.wait(1) != 0:
            raise RuntimeError(f"the crawl failed: {self._crawl.output()[-1000:]}")


@dataclass(frozen=True, slots=True)
class Peer:
    """A script that takes a file to write and the origins to crawl; two workers get half of them each."""

    name: str
    script: str
    workers: int

    @property
    def package(self) -> str:
        """`scrapy_tuned` is Scrapy's."""
        return self.script.partition("_")[0]

    @contextmanager
    def crawl(self, web: Web, folder: Path) -> Iterator["PeerRunning"]:
        shares = [web.origins[nth :: self.workers] for nth in range(self.workers)]
        script = Path(__file__).parent / "peers" / f"{self.script}.py"
        with (folder / "output").open("wb") as output:
            started = [
                subprocess.Popen(
                    [bench_environment.python(), script, folder / f"pages-{nth}.jsonl", *share],
                    env=os.environ | {"PYTHONUNBUFFERED": "1"},
                    cwd=folder,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                )
                for nth, share in enumerate(shares)
            ]
        try:
            yield PeerRunning(started, folder / "output")
        finally:
            for process in started:
                process.kill()
                process.wait()


class PeerRunning:
    def __init__(self, started: Sequence[subprocess.Popen[bytes]], output: Path) -> None:
        self._started = started
        self._output = output
        self._processes = [psutil.Process(each.pid) for each in started]
        self._ended_before_s = ended_cpu_s()

    @property
    def is_running(self) -> bool:
        return any(each.poll() is None for each in self._started)

    def cpu_s(self) -> dict[str, float]:
        pairs = zip(self._started, self._processes, strict=True)
        running = [process for started, process in pairs if started.poll() is None]
        return {"workers": ended_cpu_s() - self._ended_before_s + sum(map(tree_cpu_s, running))}

    def processes(self) -> Sequence[psutil.Process]:
        return self._processes

    def check(self) -> None:
        if any(each.wait(1) != 0 for each in self._started):
            raise RuntimeError(f"the crawl failed: {self._output.read_text(errors='replace')[-1000:]}")
