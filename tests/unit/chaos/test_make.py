"""What `make chaos` runs: what it was asked for, all of it, and nothing besides."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
OF_AN_OUTER_MAKE = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES"}
OF_OURS = {"API", "ARGS", "MINUTES", "FUZZ", "SEED", "DOCS"}
# Instead of Python: tells what it was asked, and ends as it is told.
STAND_IN = """#!/bin/sh
[ "$2" = mutants ] && { shift; echo "$*"; exit "$MUTANTS_END"; }
shift 2
echo "$*"
case $1 in api) exit 0;; fuzz) exit "$FUZZ_ENDS";; *) exit "$FAULTS_END";; esac
"""


def _make(
    folder: Path, *arguments: str, faults_end: int = 0, fuzz_ends: int = 0, mutants_end: int = 0
) -> tuple[Sequence[str], int]:
    """The commands, and whether make found all in order."""
    (folder / "python").write_text(STAND_IN)
    (folder / "python").chmod(0o755)
    left = {name: value for name, value in os.environ.items() if name not in OF_AN_OUTER_MAKE | OF_OURS}
    done = subprocess.run(
        ["make", "--no-print-directory", "chaos", f"BIN={folder}", "DEV=", *arguments],
        cwd=ROOT,
        env=left
        | {"FAULTS_END": str(faults_end), "FUZZ_ENDS": str(fuzz_ends), "MUTANTS_END": str(mutants_end)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.splitlines(), done.returncode


@pytest.mark.parametrize(
    ("arguments", "commands"),
    [
        (
            [],
            [
                "--minutes 10 --seed 1",
                "fuzz --minutes 5 --seed 1",
                "api --minutes 5 --seed 1",
                "mutants --sample 10 --seed 1",
            ],
        ),
        (
            ["MINUTES=60", "FUZZ=30", "API=20"],
            [
                "--minutes 60 --seed 1",
                "fuzz --minutes 30 --seed 1",
                "api --minutes 20 --seed 1",
                "mutants --sample 10 --seed 1",
            ],
        ),
        (
            ["SEED=7"],
            [
                "--minutes 10 --seed 7",
                "fuzz --minutes 5 --seed 7",
                "api --minutes 5 --seed 7",
                "mutants --sample 10 --seed 7",
            ],
        ),
        (
            ["DOCS=1"],
            [
                "--minutes 10 --seed 1 --docs",
                "fuzz --minutes 5 --seed 1 --docs",
                "api --minutes 5 --seed 1",
                "mutants --sample 10 --seed 1",
            ],
        ),
        (["ARGS=--help"], ["--help"]),
        (["ARGS=fuzz --minutes 1"], ["fuzz --minutes 1"]),
    ],
)
def test_arguments_reach_the_command(tmp_path: Path, arguments: list[str], commands: list[str]) -> None:
    assert _make(tmp_path, *arguments) == (commands, 0)


@pytest.mark.parametrize(
    ("faults_end", "fuzz_ends", "mutants_end"), [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, 1, 2)]
)
def test_one_that_fails_fails_it_in_the_end_but_all_are_run(
    tmp_path: Path, faults_end: int, fuzz_ends: int, mutants_end: int
) -> None:
    commands, code = _make(tmp_path, faults_end=faults_end, fuzz_ends=fuzz_ends, mutants_end=mutants_end)

    assert len(commands) == 4
    assert code != 0


@pytest.mark.parametrize(("ends", "commands_run"), [({"faults_end": 130}, 1), ({"fuzz_ends": 130}, 2)])
def test_an_interrupt_ends_all_of_it(tmp_path: Path, ends: dict[str, int], commands_run: int) -> None:
    commands, code = _make(tmp_path, **ends)

    assert len(commands) == commands_run
    assert code != 0
