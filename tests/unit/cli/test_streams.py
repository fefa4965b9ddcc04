"""What commands do with standard output and standard error that cannot be written."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

import pytest
from tests.support.full_disk import FULL, full_file

from outrider.cli import streams
from outrider.cli.streams import Unwritable, as_data, in_words
from outrider.lossy import LostLines

SINCE = datetime(2026, 5, 1, 12, 30, 5, tzinfo=UTC)
WHY = "No space left on device"


@contextmanager
def speaking(out: TextIO, err: TextIO) -> Iterator[None]:
    """A command that speaks through these."""
    with redirect_stdout(out), redirect_stderr(err):
        streams.set_up()
        yield
        streams.drop_answer()
        sys.stdout.flush()


@pytest.mark.parametrize("size", [1, 100_000])  # within a buffer, and past it
def test_an_answer_that_cannot_be_written_has_an_error_of_its_own(size):
    with (
        FULL.open("w") as full,
        speaking(full, full),
        pytest.raises(Unwritable, match=f"^standard output cannot be written: {WHY}$"),
    ):
        print("x" * size, flush=True)


def test_an_answer_is_not_done_before_it_is_written():
    with FULL.open("w") as full, speaking(full, full):
        print("short enough for the buffer", end="")

        with pytest.raises(Unwritable):
            streams.finish_answer()


def test_lost_lines_of_standard_error_are_reported_later(tmp_path: Path):
    with full_file(tmp_path / "err") as err, FULL.open("w") as full, speaking(full, err.stream):
        print("said", file=sys.stderr)
        err.make_room()
        print("heard", file=sys.stderr)

    lost, heard = err.lines()
    assert lost.startswith("outrider: 1 line was lost here since ")
    assert (lost.endswith(WHY), heard) == (True, "heard")


def test_a_closed_pipe_is_distinguished_from_a_full_disk():
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as out, speaking(out, out), pytest.raises(BrokenPipeError):
        print("anybody there?", flush=True)


def test_a_process_without_streams_gets_none(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)

    streams.set_up()
    streams.finish_answer()

    assert (sys.stdout, sys.stderr) == (None, None)


def test_a_loss_is_reported_in_words_and_as_data():
    lost = LostLines(1_200, SINCE, WHY)

    assert in_words(lost) == f"outrider: 1,200 lines were lost here since 2026-05-01 12:30:05 UTC: {WHY}\n"
    assert json.loads(as_data(lost)) == {
        "event": "lines lost",
        "lines": 1_200,
        "since": "2026-05-01T12:30:05+00:00",
        "why": WHY,
    }
