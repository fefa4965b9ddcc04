"""Streams that lose lines rather than raise."""

import io
import os
from datetime import UTC, datetime
from pathlib import Path

from tests.support.full_disk import full_file

from outrider.lossy import LostLines, lossy, take_losses


def notice(lost: LostLines) -> str:
    return f"{lost.lines} lost: {lost.why}\n"


def test_lines_that_do_not_fit_are_dropped_and_reported_before_the_next_line(tmp_path: Path):
    with full_file(tmp_path / "log") as full:
        out = lossy(full.stream, notice)
        for line in ("one", "two", "three"):
            print(line, file=out, flush=True)
        full.make_room()
        print("four", file=out)
        print("five", file=out)

        assert full.lines() == ["3 lost: No space left on device", "four", "five"]


def test_each_loss_is_reported_separately_with_its_own_start(tmp_path: Path):
    began = datetime.now(UTC)
    with full_file(tmp_path / "first") as first, full_file(tmp_path / "second") as second:
        out = lossy(first.stream, lambda lost: f"{lost.lines} {lost.since.isoformat()}\n")
        print("one\ntwo", file=out)
        first.make_room()
        print("three", file=out)
        between = datetime.now(UTC)
        os.dup2(second.stream.fileno(), first.stream.fileno())
        print("four", file=out)
        first.make_room()
        out.flush()

        (two, since), (three,), (one, again) = (line.split() for line in first.lines())
    assert (two, three, one) == ("2", "three", "1")
    assert began <= datetime.fromisoformat(since) <= between <= datetime.fromisoformat(again)


def test_a_line_that_fitted_in_part_is_ended_before_the_next():
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with os.fdopen(reading, "rb", buffering=0) as inlet, os.fdopen(writing, "w") as outlet:
        out = lossy(outlet, notice)
        print("x" * 1_000_000, file=out)  # more than a pipe holds
        fitted = inlet.read(1_000_000)
        print("next", file=out)

        assert 0 < len(fitted) < 1_000_000
        assert inlet.read(100) == b"\n1 lost: Resource temporarily unavailable\nnext\n"


def test_a_prompt_is_no_torn_line(tmp_path: Path):
    path = tmp_path / "log"
    with path.open("w") as file:
        out = lossy(file, notice)
        print("sure? ", end="", file=out, flush=True)
        print("yes", file=out)

    assert path.read_text() == "sure? yes\n"


def test_a_closed_pipe_is_no_error():
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as outlet:
        out = lossy(outlet, notice)
        print("anybody there?", file=out, flush=True)

        assert take_losses(out) == 1


def test_losses_that_were_taken_are_not_reported_again(tmp_path: Path):
    with full_file(tmp_path / "log") as full:
        out = lossy(full.stream, notice)
        print("one", file=out)
        taken = take_losses(out)
        full.make_room()
        print("two", file=out)

        assert (taken, take_losses(out)) == (1, 0)
        assert full.lines() == ["two"]


def test_losses_that_are_reported_in_place_are_not_taken(tmp_path: Path):
    with full_file(tmp_path / "log") as full:
        out = lossy(full.stream, notice)
        print("one", file=out)
        full.make_room()

        assert take_losses(out) == 0
        assert full.lines() == ["1 lost: No space left on device"]


def test_a_stream_in_memory_stays_what_it_is():
    memory = io.StringIO()

    assert lossy(memory, notice) is memory
    assert take_losses(memory) == 0
