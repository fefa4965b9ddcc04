"""Folders that nobody keeps go, however their makers went; those in use stay."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from outrider.db.temporary import temporary_folder

LONG_AGO = time.time() - 24 * 3600


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files are, for us and for those we start."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def left(place: Path) -> Path:
    """What somebody left behind long ago."""
    folder = place / "outrider-bench-left"
    (folder / "crawl" / "database" / "data").mkdir(parents=True)
    os.utime(folder, (LONG_AGO, LONG_AGO))
    return folder


def test_a_folder_is_open_to_other_users_and_gone_afterwards(place: Path) -> None:
    with temporary_folder("bench") as folder:
        mode = folder.stat().st_mode & 0o777
        (folder / "file").touch()

    assert mode == 0o755
    assert list(place.iterdir()) == []


def test_leftover_folders_are_deleted_by_the_next_run(left: Path) -> None:
    with temporary_folder("bench"):
        assert not left.exists()


def test_what_a_killed_process_left_behind_goes_and_while_it_lives_it_stays(place: Path) -> None:
    code = (
        "from outrider.db.temporary import temporary_folder\n"
        "with temporary_folder('bench') as folder:\n    print(folder, flush=True)\n    input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as maker:
        assert maker.stdout is not None
        folder = Path(maker.stdout.readline().strip())
        os.utime(folder, (LONG_AGO, LONG_AGO))

        with temporary_folder("bench"):
            assert folder.exists()
        maker.send_signal(signal.SIGKILL)
    with temporary_folder("bench"):
        assert not folder.exists()


def test_one_whose_server_still_runs_stays(left: Path) -> None:
    data = left / "crawl" / "database" / "data"
    code = "print(flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", code, data], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        assert server.stdout is not None
        server.stdout.readline()  # only now can its arguments be read for certain
        (data / "postmaster.pid").write_text(f"{server.pid}\n")

        with temporary_folder("bench"):
            assert left.exists()


def test_one_that_may_just_have_been_made_stays(left: Path) -> None:
    os.utime(left)

    with temporary_folder("bench"):
        assert left.exists()


def test_what_is_for_another_purpose_is_not_touched(left: Path) -> None:
    with temporary_folder("demo"):
        assert left.exists()


def test_a_link_is_not_followed(place: Path, left: Path) -> None:
    mine = place / "mine"
    left.rename(mine)
    left.symlink_to(mine)
    os.utime(left, (LONG_AGO, LONG_AGO), follow_symlinks=False)

    with temporary_folder("bench"):
        assert mine.exists()
