"""Schedules are decided by the time of the database, never by the clock of a machine (SCH-18)."""

import re
from pathlib import Path

import pytest

import outrider

SOURCE = Path(outrider.__file__).parent
ROOMS = ("jobs", "runs", "scheduler")
_LOCAL_CLOCK = re.compile(r"\b(?:datetime\.(?:now|utcnow|today)|time\.time|date\.today)\(")


@pytest.mark.parametrize("room", ROOMS)
def test_no_schedule_reads_the_clock_of_a_machine(room: str):
    readers = [
        str(file.relative_to(SOURCE))
        for file in (SOURCE / room).rglob("*.py")
        if _LOCAL_CLOCK.search(file.read_text())
    ]

    assert readers == []


def test_the_clock_of_a_machine_is_recognised():
    assert _LOCAL_CLOCK.search("now = datetime.now(UTC)")
    assert not _LOCAL_CLOCK.search("now = await jobs.now(db)")
