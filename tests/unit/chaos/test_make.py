"""What `make chaos` runs: what it was asked for, and nothing besides."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
OF_AN_OUTER_MAKE = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES", "ARGS", "MINUTES", "FUZZ", "DOCS"}


@pytest.mark.parametrize(
    ("arguments", "commands"),
    [
        ([], ["--minutes 10", "fuzz --minutes 5"]),
        (["MINUTES=60", "FUZZ=30"], ["--minutes 60", "fuzz --minutes 30"]),
        (["DOCS=1"], ["--minutes 10 --docs", "fuzz --minutes 5 --docs"]),
        (["ARGS=--help"], ["--help"]),
        (["ARGS=fuzz --minutes 1"], ["fuzz --minutes 1"]),
    ],
)
def test_arguments_reach_the_command(arguments: list[str], commands: list[str]) -> None:
    shown = subprocess.run(
        ["make", "--dry-run", "--no-print-directory", "chaos", *arguments],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name not in OF_AN_OUTER_MAKE},
        capture_output=True,
        text=True,
        check=True,
    ).stdout

    asked = [line.partition("-m chaos") for line in shown.splitlines()]
    assert [after.strip() for _, is_ours, after in asked if is_ours] == commands
