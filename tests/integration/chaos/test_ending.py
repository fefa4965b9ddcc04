"""Ctrl-C and TERM end a run as people would want: the table so far, a fitting code, and no traceback."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from tests.support.embedded import within

ROOT = Path(__file__).parents[3]


def _serves(process: psutil.Process) -> bool:
    return bool(process.net_connections())


def _has_begun_a_round(process: psutil.Process) -> bool:
    return bool(process.children())


@pytest.mark.parametrize(("number", "exit_code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize(
    ("asked", "has_begun", "title"),
    [
        pytest.param(["fuzz", "--only", "answers"], _serves, "Fuzzing", id="fuzz"),
        pytest.param(["--only", "cut the network"], _has_begun_a_round, "Under fire", id="faults"),
    ],
)
def test_a_run_that_is_ended_shows_what_it_has(
    tmp_path: Path,
    asked: list[str],
    has_begun: Callable[[psutil.Process], bool],
    title: str,
    number: signal.Signals,
    exit_code: int,
) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "chaos", *asked],
        cwd=ROOT,
        env=os.environ | {"TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert within(30, lambda: has_begun(psutil.Process(process.pid)))
        process.send_signal(number)
        told, complaints = process.communicate(timeout=60)

    assert process.returncode == exit_code
    assert title in told
    assert complaints == ""
    assert list(tmp_path.iterdir()) == []
