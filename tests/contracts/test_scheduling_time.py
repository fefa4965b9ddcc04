"""Schedules are decided by the time of the database, never by the clock of a machine (SCH-18)."""

import re
from pathlib import Path

import pytest

import outrider

SOURCE = Path(outrider.__file__).parent
ROOMS = ("jobs", "runs", "scheduler")
_LOCAL_CLOCK = re.compile(
    r"\b(?:datetime\.(?:now|utcnow|today)|date\.today|time\.(?:time|time_ns|localtime|gmtime|ctime))\("
    r"|\bSystemClock\b"
    r"|\bfrom time import (?!monotonic\b|perf_counter\b)"
)


@pytest.mark.parametrize("room", ROOMS)
def test_no_schedule_reads_the_clock_of_a_machine(room: str):
    readers = [
        str(file.relative_to(SOURCE))
        for file in (SOURCE / room).rglob("*.py")
        if _LOCAL_CLOCK.search(file.read_text())
    ]

    assert readers == []


@pytest.mark.parametrize(
    "line",
    [
        "now = datetime.now(UTC)",
        "now = datetime.datetime.utcnow()",
        "now = datetime.fromtimestamp(time.time_ns() / 1e9, UTC)",
        "from time import time",
        "from outrider.clock import Clock, SystemClock",
    ],
)
def test_the_clock_of_a_machine_is_recognised(line: str):
    assert _LOCAL_CLOCK.search(line)


@pytest.mark.parametrize(
    "line", ["now = await jobs.now(db)", "asked_at = time.monotonic()", "from time import monotonic"]
)
def test_the_time_of_the_database_and_durations_are_allowed(line: str):
    assert not _LOCAL_CLOCK.search(line)
