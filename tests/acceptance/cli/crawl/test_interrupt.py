"""Ctrl-C: once it drains and the same command resumes, twice it stops."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from contextlib import contextmanager

from tests.support.command import outrider, outrider_here
from tests.support.site import Plan, Site

from outrider.cli.crawl.run import ECHO_S

PAGES = 120
SLOW = Plan(pages=PAGES, latency=0.02)


@contextmanager
def crawling(url: str, database: str, *options: str):
    """A crawl under way, in a process group of its own as a terminal would have it."""
    settings = {
        "OUTRIDER_ALLOW_PRIVATE": "127.0.0.0/8",
        "OUTRIDER_DELAY": "0",
        "OUTRIDER_DATABASE_URL": database,
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "outrider", "crawl", url, "--depth", "10", "--workers", "2", *options],
        env=os.environ | settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


def test_interrupted_once_it_drains_and_the_same_command_resumes(database, tmp_path):
    with Site.start(tmp_path, SLOW) as site:
        with crawling(site.url, database) as crawl:
            site.wait_for(30)
            os.killpg(crawl.pid, signal.SIGINT)
            out, err = crawl.communicate(timeout=60)
        resumed = outrider(
            *("crawl", site.url, "--depth", "10", "--json", "--workers", "1"),
            settings={"OUTRIDER_DATABASE_URL": database},
        )
        asked = Counter(asked.path for asked in site.log() if asked.path != "/robots.txt")

    assert crawl.returncode == 0, err
    assert "Interrupted. " in out
    assert "the same command resumes." in out
    assert "Traceback" not in err
    assert resumed.lines[0]["resumed"] > 0
    assert resumed.lines[-1]["ending"] == "finished", resumed.lines[-1]
    assert set(asked) == {f"/page/{index}" if index else "/" for index in range(PAGES)}
    assert set(asked.values()) == {1}, "a clean drain leaves nothing to fetch again"


def test_a_second_interrupt_stops_at_once_and_loses_nothing(database):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        with crawling(url, database, "--ignore-robots") as crawl:
            request, _ = silent.accept()  # and nobody answers
            os.killpg(crawl.pid, signal.SIGINT)
            assert crawl.stdout is not None
            assert any(line.startswith("interrupted") for line in crawl.stdout)
            time.sleep(ECHO_S * 1.2)  # one that follows at once would be the echo of a wrapper
            os.killpg(crawl.pid, signal.SIGINT)
            _, err = crawl.communicate(timeout=20)
            request.close()

    assert crawl.returncode == 1
    assert "outrider: stopped; 1 URL is queued and not lost" in err
    assert "Traceback" not in err


def test_a_second_crawl_of_the_same_seeds_is_refused_while_one_runs(database, tmp_path):
    with Site.start(tmp_path, SLOW) as site, crawling(site.url, database):
        site.wait_for(5)
        second = outrider_here("crawl", site.url, settings={"OUTRIDER_DATABASE_URL": database})

    assert second.code == 1
    assert "outrider: this crawl is already running in another process" in second.err
