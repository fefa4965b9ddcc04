"""A database that does not answer: Ctrl-C once waits and says so, twice it stops, and nothing is lost."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
from tests.support.crawl import Crawl, Run, Watch
from tests.support.database import this_run
from tests.support.site import Plan, Site

PAGES = 60
SLOW = Plan(pages=PAGES, latency=0.02)
QUICK = {"OUTRIDER_DELAY": "0"}
STOP_S = 10.0  # twice what it may take, on a machine that does something else as well


def crawl_of(site: Site, data: Path) -> Run:
    return Crawl(data, [site.url], "--workers", "2", "--main-text", environment=QUICK)


def watch_of(site: Site, data: Path) -> Run:
    watch = Watch(data, "--workers", "2", environment=QUICK)
    subprocess.run(
        [sys.executable, "-m", "outrider", "source", "add", site.url, "--mode", "spider", "--depth", "-1"],
        env=watch.environment,
        capture_output=True,
        check=True,
        timeout=60,
    )
    return watch


@contextmanager
def frozen(run: Run) -> Iterator[None]:
    """PostgreSQL is there and does not answer."""
    processes = run.server_processes()
    for process in processes:
        process.suspend()
    try:
        yield
    finally:
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.resume()


def interrupt(run: Run) -> None:
    """Ctrl-C in a terminal: all of its processes get it."""
    os.killpg(run.pid, signal.SIGINT)


def wait_for_word(run: Run, word: str, timeout_s: float = 30.0) -> None:
    give_up_at = time.monotonic() + timeout_s
    while word not in run.output():
        assert time.monotonic() < give_up_at, run.output()
        time.sleep(0.05)


def still_there(processes: Sequence[psutil.Process]) -> list[psutil.Process]:
    """Those that did not follow within the time. One that nobody buries is gone all the same."""
    give_up_at = time.monotonic() + STOP_S
    while (left := [each for each in processes if _runs(each)]) and time.monotonic() < give_up_at:
        time.sleep(0.05)
    return left


def _runs(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_a_second_interrupt_ends_a_crawl_that_waits_for_the_database(tmp_path: Path) -> None:
    with Site.start(tmp_path, SLOW) as site, crawl_of(site, this_run() / "silent crawl") as run:
        site.wait_for(15)
        with frozen(run):
            ours = [psutil.Process(run.pid), *psutil.Process(run.pid).children(recursive=True)]
            interrupt(run)
            wait_for_word(run, "the database does not answer: waiting for it")
            interrupt(run)
            code = run.wait(STOP_S)
            left = still_there(ours)
        said = run.output()
        run.start()
        resumed = run.wait(60)
        asked = {asked.path for asked in site.log()} - {"/robots.txt"}

    assert code == 1, said
    assert "outrider: the database did not answer in time; nothing written is lost" in said
    assert "Traceback" not in said
    assert not left, said
    assert resumed == 0, run.output()
    assert asked == {f"/page/{index}" if index else "/" for index in range(PAGES)}


def test_once_interrupted_a_watch_waits_for_the_database_and_then_drains(tmp_path: Path) -> None:
    with Site.start(tmp_path, SLOW) as site, watch_of(site, this_run() / "silent watch") as run:
        site.wait_for(len(site.log()) + 15)
        with frozen(run):
            interrupt(run)
            wait_for_word(run, "the database does not answer: waiting for it")
        code = run.wait(60)
        said = run.output()

    assert code == 0, said
    assert "ended          interrupted" in said
    assert "Traceback" not in said
