"""What a killed round leaves is swept by the next run; what is alive or somebody else's is not."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import pytest
from chaos import disk
from chaos.disk import SmallDisk
from chaos.leftovers import sweep
from chaos.scratch import scratch
from chaos.stopping import ENDINGS, Stopped, stop_when_told
from tests.support.web import Web

ROOT = Path(__file__).parents[3]
ROUND = """
import sys
from pathlib import Path
from chaos.scratch import scratch
from tests.support.web import Web

with scratch() as folder, Web.start(folder / "web", hosts=1, pages_per_host=1) as web:
    print(folder, web.pid, flush=True)
    input()
"""


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def _killed_round(tmp_path: Path) -> tuple[Path, psutil.Process]:
    """Its folder, and its nginx, which is still there."""
    with subprocess.Popen(
        [sys.executable, "-c", ROUND],
        cwd=ROOT,
        env=os.environ | {"TMPDIR": str(tmp_path), "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        folder, pid = process.stdout.readline().split()
        process.kill()
    return Path(folder), psutil.Process(int(pid))


def _swept() -> list[str]:
    told: list[str] = []
    sweep(told.append)
    return told


def test_the_server_the_command_and_the_folder_of_a_killed_round_go(tmp_path: Path) -> None:
    folder, nginx = _killed_round(tmp_path)
    with subprocess.Popen(
        ["sleep", "60"], env=os.environ | {"OUTRIDER_DATA": str(folder / "data")}
    ) as command:
        told = _swept()
        is_gone = not psutil.pid_exists(command.pid)
        command.kill()

    assert told == [f"swept all that a killed run had left in {folder}"]
    assert is_gone
    assert not nginx.is_running()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(disk.why_not() is not None, reason=str(disk.why_not()))
def test_a_disk_that_stayed_mounted_is_taken_away_and_others_stay(tmp_path: Path) -> None:
    left = tmp_path / "outrider-chaos-left"
    with SmallDisk.mounted(tmp_path / "other", megabytes=1) as other:
        (left / "data").mkdir(parents=True)
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(left / "data")], check=True)

        _swept()

        assert not left.exists()
        assert os.path.ismount(other.folder)


def test_a_round_that_lives_is_left_alone() -> None:
    with scratch() as folder, Web.start(folder / "web", hosts=1, pages_per_host=1) as web:
        assert _swept() == []

        assert folder.exists()
        assert psutil.pid_exists(web.pid)


def test_a_stranger_with_the_pid_of_a_dead_server_is_left_alone(tmp_path: Path) -> None:
    left = tmp_path / "outrider-chaos-left"
    (left / "web").mkdir(parents=True)
    with subprocess.Popen(["sleep", "60"]) as stranger:
        (left / "web" / "nginx.pid").write_text(f"{stranger.pid}\n")

        assert len(_swept()) == 1

        assert stranger.poll() is None
        stranger.kill()


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").mkdir()
    (tmp_path / "outrider-chaos-link").symlink_to(tmp_path / "precious")

    assert _swept() == []

    assert (tmp_path / "precious").is_dir()


def test_a_round_that_is_ended_while_its_folder_is_made_leaves_none(tmp_path: Path, monkeypatch) -> None:
    make = tempfile.mkdtemp

    def make_and_be_ended(prefix: str) -> str:
        made = make(prefix=prefix)
        signal.raise_signal(signal.SIGTERM)
        return made

    monkeypatch.setattr(tempfile, "mkdtemp", make_and_be_ended)
    before = {ending: signal.getsignal(ending) for ending in ENDINGS}
    stop_when_told()
    try:
        with pytest.raises(Stopped), scratch():
            pytest.fail("it went on")
    finally:
        for ending, handler in before.items():
            signal.signal(ending, handler)

    assert list(tmp_path.iterdir()) == []
