"""Faults are real: what is said to be full, set, silent or cut is."""

import errno
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from chaos import clock, disk
from chaos.clock import WallClock
from chaos.disk import SmallDisk
from chaos.slowness import ADDRESS, silent_port
from tests.support.web import Web

HOUR_S = 3600.0
TELL_TWICE = """
import time
for _ in range(2):
    print(time.time(), time.monotonic(), flush=True)
    input()
"""


@pytest.mark.skipif(disk.why_not() is not None, reason=str(disk.why_not()))
def test_a_full_disk_takes_no_byte_until_there_is_room(tmp_path: Path) -> None:
    with SmallDisk.mounted(tmp_path / "disk", megabytes=2) as small:
        file = small.folder / "file"
        file.write_bytes(b"before")
        small.fill()

        with pytest.raises(OSError, match="No space left") as refused:
            (small.folder / "other").write_bytes(b"x" * 5000)
        small.clear()
        file.write_bytes(b"x" * 5000)

    assert refused.value.errno == errno.ENOSPC
    assert not os.path.ismount(tmp_path / "disk")


@pytest.mark.skipif(clock.why_not() is not None, reason=str(clock.why_not()))
def test_a_clock_that_is_set_shows_another_time_and_paces_as_before(tmp_path: Path) -> None:
    wall = WallClock(tmp_path)
    with subprocess.Popen(
        [sys.executable, "-c", TELL_TWICE],
        env=os.environ | wall.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as reader:
        assert reader.stdin is not None
        assert reader.stdout is not None
        before = [float(shown) for shown in reader.stdout.readline().split()]
        wall.jump(HOUR_S)
        reader.stdin.write("\n\n")
        reader.stdin.flush()
        after = [float(shown) for shown in reader.stdout.readline().split()]

    passed = after[1] - before[1]
    assert passed < HOUR_S
    assert after[0] - before[0] == pytest.approx(HOUR_S + passed, abs=0.5)


@pytest.mark.skipif(clock.why_not() is not None, reason=str(clock.why_not()))
def test_a_clock_that_is_set_knows_when_it_showed_a_time(tmp_path: Path) -> None:
    wall = WallClock(tmp_path)
    before_ms = time.time() * 1000
    time.sleep(0.01)
    wall.jump(HOUR_S)
    after_ms = time.time() * 1000

    assert wall.true_ms(before_ms) == before_ms
    assert wall.true_ms(after_ms + HOUR_S * 1000) == after_ms


def test_a_silent_host_neither_takes_nor_refuses_a_connection() -> None:
    with silent_port() as port, socket.socket() as caller:
        caller.settimeout(0.3)

        with pytest.raises(TimeoutError):
            caller.connect((ADDRESS, port))


def test_a_web_that_is_cut_refuses_one_that_is_frozen_waits_and_both_come_back(tmp_path: Path) -> None:
    with Web.start(tmp_path, hosts=2, pages_per_host=2) as web:
        answers = [_ask(web)]
        _wait_for_log(web, 1)
        web.cut()
        answers.append(_ask(web))
        web.mend()
        answers.append(_ask(web))
        _wait_for_log(web, 2)
        web.freeze()
        answers.append(_ask(web))
        web.mend()
        answers.append(_ask(web))
        _wait_for_log(web, 3)

        assert answers == ["answered", "ConnectionRefusedError", "answered", "TimeoutError", "answered"]
        assert [hit.status for hit in web.log()] == [200, 200, 200], "what waited in vain was never asked"


def _ask(web: Web) -> str:
    try:
        with socket.create_connection((web.addresses[0], web.port), timeout=0.5) as caller:
            caller.sendall(b"GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            return "answered" if caller.makefile("rb").read() else "hung up"
    except OSError as error:
        return type(error).__name__


def _wait_for_log(web: Web, lines: int) -> None:
    give_up_at = time.monotonic() + 10
    while web.requests() < lines and time.monotonic() < give_up_at:
        time.sleep(0.01)
