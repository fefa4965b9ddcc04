"""`outrider simulate`: the same report for the same seed, two policies side by side, and wrong usage."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.command import outrider, outrider_here

from outrider.db import postmaster

TINY = ("simulate", "--hosts", "4", "--days", "0.15", "--seed", "3")


@pytest.fixture
def folder() -> Iterator[Path]:
    """Where also a PostgreSQL of another user may go."""
    made = Path(tempfile.mkdtemp(prefix="outrider-test-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made, ignore_errors=True)


def test_the_same_seed_gives_the_same_bytes_in_every_process_also_with_two_workers():
    first, second = (
        outrider(*TINY, "--workers", "2", "--json", settings={"PYTHONHASHSEED": seed}) for seed in ("1", "2")
    )

    assert first.code == 0, first.err
    assert first.out == second.out
    assert first.json["politeness"]["violations"] == 0
    assert first.json["politeness"]["hosts"] == 4
    assert first.json["plan"]["delay_s"] == 0


def test_two_policies_are_shown_side_by_side():
    told = outrider(*TINY, "--compare", "poll=15m,delay=2s", timeout=120)

    assert told.code == 0, told.err
    lines = [line.strip() for line in told.out.splitlines()]
    assert "simulated     4 sites for 0.15 days, seed 3" in lines
    assert "poll=15m," in lines
    [requests] = [line for line in lines if line.startswith("requests  ")]
    assert "%" in requests
    assert "of CPU beside PostgreSQL's" in told.err


def test_settings_count_and_several_seeds_show_a_range(folder: Path):
    config = folder / "outrider.toml"
    config.write_text('feed_interval = "45m"\n')
    told = outrider(*TINY, "--seeds", "2", "--config", str(config), "--json", timeout=120)

    assert told.code == 0, told.err
    assert [report["plan"]["seed"] for report in told.json] == [3, 4]
    assert [report["plan"]["poll_s"] for report in told.json] == [2700, 2700]


def is_serving(folder: Path) -> bool:
    places = folder.glob("outrider-simulate-*/database/data")
    return any(server.is_ready for place in places if (server := postmaster.find(place)))


def test_sigterm_leaves_nothing_behind(folder: Path):
    """The folder goes after its server has."""
    with subprocess.Popen(
        [sys.executable, "-m", "outrider", "simulate", "--hosts", "500"],
        env=os.environ | {"TMPDIR": str(folder)},
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        give_up_at = time.monotonic() + 30
        while not is_serving(folder):
            assert time.monotonic() < give_up_at
            time.sleep(0.05)
        running.send_signal(signal.SIGTERM)
        _, told = running.communicate(timeout=60)

    assert running.returncode == 143
    assert "interrupted: there is no report" in told
    assert list(folder.iterdir()) == []


def test_a_database_is_kept_where_asked_and_never_written_over(folder: Path):
    told = outrider(*TINY, "--data", str(folder), "--delay", "1s")
    kept = outrider_here("stats", "--data", str(folder), "--json")
    again = outrider_here(*TINY, "--data", str(folder))

    assert "Polite: no site was asked too early" in told.out
    assert kept.json["pages"] > 0
    assert again.code == 2
    assert "holds a database already" in again.err


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        pytest.param(["--poll", "often"], "give a duration", id="no duration"),
        pytest.param(["--poll", "1s"], "the least is 1m", id="too often"),
        pytest.param(["--mode", "magic"], "feed, spider, both", id="no mode"),
        pytest.param(["--hosts", "0"], "hosts", id="no web at all"),
        pytest.param(["--compare", "speed=11"], "not a setting", id="no such choice"),
        pytest.param(["--compare", "poll"], "NAME=VALUE", id="a choice without a value"),
        pytest.param(["--compare", "poll=1s"], "the least is 1m", id="a comparison with nonsense"),
        pytest.param(["--compare", "delay=99d"], "delay", id="a comparison with too long a delay"),
        pytest.param(["--compare", "poll=1h", "--data", "x"], "--data", id="two runs in one database"),
        pytest.param(["--seeds", "2", "--data", "x"], "--data", id="two seeds in one database"),
        pytest.param(["--mix", "no-such-file.toml"], "cannot be read", id="no mix"),
        pytest.param(["--delay", "soon"], "delay", id="no delay"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_starts(options: list[str], complaint: str):
    told = outrider_here("simulate", *options)

    assert told.code == 2
    assert complaint in told.err.lower() or complaint in told.err
