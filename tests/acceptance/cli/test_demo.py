"""The demo: a first crawl that needs no network, and tells what became of each exhibit."""

import os
import pty
import struct
import subprocess
import sys
import termios
from fcntl import ioctl
from pathlib import Path

from tests.support.command import outrider
from tests.support.site import Plan, Site

from outrider.demo import tour


def test_every_exhibit_ends_as_the_tour_says():
    ran = outrider("demo", "--json", timeout=110)

    summary = ran.lines[-1]
    assert summary["ending"] == "finished", summary["message"]
    assert [exhibit for exhibit in summary["exhibits"] if not exhibit["ok"]] == []
    assert len(summary["exhibits"]) == len(tour)
    assert ran.code == 0, ran.err
    assert not Path(summary["data"]).exists(), "what nobody asked to keep is gone"


def test_a_terminal_shows_the_screen_then_the_summary_and_no_log_line(database, tmp_path):
    ours, theirs = pty.openpty()
    ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    settings = {
        "OUTRIDER_ALLOW_PRIVATE": "127.0.0.0/8",
        "OUTRIDER_DELAY": "20ms",
        "OUTRIDER_DATABASE_URL": database,
        "OUTRIDER_DATA": str(tmp_path / "data"),
        "OUTRIDER_LOG_LEVEL": "info",
        "TERM": "xterm-256color",
    }
    with Site.start(tmp_path / "site", Plan(pages=30)) as site:
        command = [sys.executable, "-m", "outrider", "crawl", site.url, "--workers", "1", "--max-pages", "10"]
        crawl = subprocess.Popen(
            command, env=os.environ | settings, stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True
        )
        os.close(theirs)
        shown = _read_all(ours)
        code = crawl.wait(30)

    live, _, summary = shown.partition("Page limit reached.")
    assert code == 0, shown
    assert "of 10 pages" in live
    assert "slowest hosts" in live
    assert "10 pages" in summary
    assert '"event"' not in shown
    assert (tmp_path / "data" / "log" / "crawl.log").exists()


def _read_all(terminal: int) -> str:
    """Everything until the last process that holds the other end is gone."""
    parts = []
    while True:
        try:
            part = os.read(terminal, 65_536)
        except OSError:  # how Linux says that a terminal has ended
            part = b""
        if not part:
            os.close(terminal)
            return b"".join(parts).decode()
        parts.append(part)
