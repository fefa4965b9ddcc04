"""make runs the set-up when there is a reason, and with a Python that can run it."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

MAKEFILE = Path(__file__).parents[3] / "Makefile"
OF_AN_OUTER_MAKE = {"PYTHON", "MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES"}


@pytest.fixture
def checkout(tmp_path):
    """A folder that has been set up."""
    shutil.copy(MAKEFILE, tmp_path)
    files = (
        "pyproject.toml",
        "requirements/dev.lock",
        "requirements/runtime.lock",
        "requirements/bench.lock",
        "frontend/package-lock.json",
    )
    stamps = (".venv/.runtime-installed", ".venv/.dev-installed", ".venv-bench/.bench-installed")
    for age, name in enumerate((*files, *stamps)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (age, age))
    (tmp_path / ".venv" / ".made-for").write_text(str(tmp_path))
    return tmp_path


def would_run(checkout, *arguments, **environment):
    """The set-up commands that make would run."""
    kept = {name: value for name, value in os.environ.items() if name not in OF_AN_OUTER_MAKE}
    make = [shutil.which("make"), "--no-print-directory", "-n", *arguments]
    done = subprocess.run(
        make, cwd=checkout, env=kept | environment, capture_output=True, text=True, check=True
    )
    return [line for line in done.stdout.splitlines() if "bootstrap.py" in line]


@pytest.mark.parametrize("made_with", [None, "python3.12"])
def test_what_is_set_up_stays_where_no_python_is_asked_for(checkout, made_with):
    if made_with:
        (checkout / ".venv" / ".made-with").write_text(made_with)

    assert would_run(checkout, "setup", ".venv-bench/.bench-installed") == []


@pytest.mark.parametrize("made_with", ["", "python3.12"])
def test_the_python_that_is_asked_for_runs_the_set_up_unless_it_did_so_before(checkout, made_with):
    (checkout / ".venv" / ".made-with").write_text(made_with)

    assert would_run(checkout, "setup", "PYTHON=/opt/python") == ["/opt/python scripts/bootstrap.py dev"]
    assert would_run(checkout, "setup", PYTHON="/opt/python") == ["/opt/python scripts/bootstrap.py dev"]
    (checkout / ".venv" / ".made-with").write_text("/opt/python")
    assert would_run(checkout, "setup", "PYTHON=/opt/python") == []


def test_a_checkout_that_was_moved_is_set_up_again(checkout):
    (checkout / ".venv" / ".made-for").write_text("/before")

    assert would_run(checkout, "crawl", "PYTHON=python3") == ["python3 scripts/bootstrap.py runtime"]


def test_the_peers_are_looked_at_again_after_our_own_environment_was(checkout):
    (checkout / ".venv" / ".made-with").write_text("/opt/python")
    (checkout / ".venv" / ".dev-installed").touch()

    peers = would_run(checkout, ".venv-bench/.bench-installed", "PYTHON=/opt/python")
    assert peers == ["/opt/python scripts/bootstrap.py bench"]


@pytest.mark.parametrize(
    ("programs", "chosen"),
    [
        ({"python3": 0, "python3.12": 0}, "python3"),
        ({"python3": 1, "python3.12": 0}, "python3.12"),
        ({"python3.11": 0, "python3.13": 127, "python3.12": 0}, "python3.12"),
    ],
)
def test_the_first_python_that_can_run_the_set_up_does(checkout, programs, chosen):
    for name, status in programs.items():
        program = checkout / name
        program.write_text(f"#!/bin/sh\nexit {status}\n")
        program.chmod(0o755)
    (checkout / ".venv" / ".dev-installed").unlink()

    assert would_run(checkout, "setup", PATH=str(checkout)) == [f"{chosen} scripts/bootstrap.py dev"]
