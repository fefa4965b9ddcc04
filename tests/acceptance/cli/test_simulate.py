"""`outrider simulate`: the same report for the same seed, two policies side by side, and wrong usage."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.command import outrider, outrider_here

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
    first, head, _, *lines = told.out.strip().splitlines()
    assert first == "poll=15m,"
    assert head.split() == ["as", "it", "was", "delay=2s", "change"]
    [requests] = [line for line in lines if line.lstrip().startswith("requests  ")]
    assert "%" in requests


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
        pytest.param(["--poll", "often"], "is no duration", id="no duration"),
        pytest.param(["--poll", "1s"], "from 1m to 1w", id="too often"),
        pytest.param(["--mode", "magic"], "feed, spider or both", id="no mode"),
        pytest.param(["--hosts", "0"], "hosts", id="no web at all"),
        pytest.param(["--compare", "speed=11"], "NAME=VALUE", id="no such choice"),
        pytest.param(["--compare", "poll"], "NAME=VALUE", id="a choice without a value"),
        pytest.param(["--compare", "poll=1s"], "from 1m to 1w", id="a comparison with nonsense"),
        pytest.param(["--compare", "delay=99d"], "delay", id="a comparison with too long a delay"),
        pytest.param(["--compare", "poll=1h", "--data", "x"], "--data", id="two runs in one database"),
        pytest.param(["--mix", "no-such-file.toml"], "cannot be read", id="no mix"),
        pytest.param(["--delay", "soon"], "delay", id="no delay"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_starts(options: list[str], complaint: str):
    told = outrider_here("simulate", *options)

    assert told.code == 2
    assert complaint in told.err.lower() or complaint in told.err
