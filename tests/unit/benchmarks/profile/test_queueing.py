"""How long a process ran and waited, and what becomes of one that is gone."""

import os
import subprocess
import sys

import pytest
from benchmarks.profile.queueing import first_in_line, ran_and_waited


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts what a thread waits")
def test_what_runs_is_seen_to_have_run():
    before, _ = ran_and_waited(os.getpid())
    sum(range(1_000_000))

    assert ran_and_waited(os.getpid())[0] > before


def test_who_is_gone_neither_ran_nor_waited_and_is_not_hurried():
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()

    first_in_line(process.pid, rank=1)
    assert ran_and_waited(process.pid) == (0.0, 0.0)
