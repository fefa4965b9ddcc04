"""The file that standard error goes to while there is a screen."""

import os
from pathlib import Path

import pytest

from outrider.cli.crawl.log_file import LARGEST, LogFile
from outrider.errors import Misconfigured


def grown(path: Path, by: int) -> None:
    """As if so much had been written; the disk need not hold it."""
    os.truncate(path, path.stat().st_size + by)


def test_standard_error_of_this_process_goes_to_the_file_and_comes_back(tmp_path, capfd):
    log = LogFile(tmp_path / "log" / "crawl.log")

    with log.catch_stderr():
        os.write(2, b"inside\n")
    os.write(2, b"outside\n")

    assert log.path.read_text() == "inside\n"
    assert capfd.readouterr().err == "outside\n"


def test_a_large_file_is_kept_as_the_old_one_and_begun_anew(tmp_path):
    log = LogFile(tmp_path / "crawl.log")
    log.path.write_text("old\n")
    grown(log.path, LARGEST)

    log.turn_over()

    assert log.path.stat().st_size == 0
    assert (tmp_path / "crawl.log.1").stat().st_size == LARGEST + 4


def test_where_the_old_one_cannot_be_kept_the_file_stays_and_it_is_tried_again_when_much_larger(tmp_path):
    log, old = LogFile(tmp_path / "crawl.log"), tmp_path / "crawl.log.1"
    log.path.touch()
    grown(log.path, LARGEST + 1)
    old.mkdir()
    log.turn_over()
    refused = log.path.stat().st_size
    old.rmdir()
    log.turn_over()
    too_soon = old.exists()
    grown(log.path, LARGEST)
    log.turn_over()

    assert (refused, too_soon) == (LARGEST + 1, False)
    assert (log.path.stat().st_size, old.stat().st_size) == (0, 2 * LARGEST + 1)


def test_a_file_that_somebody_took_away_is_no_reason_to_stop(tmp_path):
    log = LogFile(tmp_path / "crawl.log")

    log.turn_over()

    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_made_is_one_sentence(tmp_path):
    (tmp_path / "log").write_text("")
    log = LogFile(tmp_path / "log" / "crawl.log")

    with pytest.raises(Misconfigured, match="is not a directory"), log.catch_stderr():
        pass
