"""An environment keeps its Python, unless another was asked for or it is compared with one."""

import json

import bootstrap
import pytest
from choose_python import Python

RUNNING = Python("/opt/python3", (3, 11, 7), "/opt", "cpython", False, ())
BETTER = Python("/usr/bin/python3.11", (3, 11, 2), "/usr", "cpython", True, ())
TOO_OLD = Python("/usr/bin/python3.9", (3, 9, 2), "/usr", "cpython", True, ())


@pytest.fixture(autouse=True)
def machine(tmp_path, monkeypatch):
    """A machine where a plain Python runs the set-up, and a better one is there, too."""
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    monkeypatch.setattr(bootstrap, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(bootstrap, "BENCH_VENV", tmp_path / ".venv-bench")
    monkeypatch.setattr(bootstrap, "describe", lambda: RUNNING)
    monkeypatch.setattr(bootstrap, "on_this_machine", lambda path: [BETTER])


def make(venv, python, folder=None):
    """An environment whose Python answers as this one."""
    (venv / "bin").mkdir(parents=True)
    (venv / ".made-for").write_text(str(folder or bootstrap.ROOT))
    program = venv / "bin" / "python"
    program.write_text(f"#!/bin/sh\necho '{json.dumps(python._asdict())}'\n")
    program.chmod(0o755)


def test_a_new_environment_gets_the_better_python_and_one_line_says_so(capsys):
    assert bootstrap.python_for(bootstrap.VENV, asked=False) == BETTER.executable
    assert capsys.readouterr().err == (
        "setup: using /usr/bin/python3.11, which is built with optimisations; PYTHON=… chooses another\n"
    )


def test_where_none_is_better_the_line_says_that(monkeypatch, capsys):
    monkeypatch.setattr(bootstrap, "on_this_machine", lambda path: [])

    assert bootstrap.python_for(bootstrap.VENV, asked=False) == RUNNING.executable
    assert "using /opt/python3, which is built without optimisations" in capsys.readouterr().err


def test_the_python_that_was_asked_for_is_taken_in_silence(capsys):
    assert bootstrap.python_for(bootstrap.VENV, asked=True) == RUNNING.executable
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("present", [RUNNING, BETTER])
def test_an_environment_that_works_stays(present, capsys):
    make(bootstrap.VENV, present)

    assert bootstrap.python_for(bootstrap.VENV, asked=False) is None
    assert capsys.readouterr().err == ""


def test_an_environment_with_another_python_than_was_asked_for_is_made_anew(capsys):
    make(bootstrap.VENV, BETTER)

    assert bootstrap.python_for(bootstrap.VENV, asked=True) == RUNNING.executable
    assert capsys.readouterr().err == "setup: .venv has another Python, and is made anew\n"


def test_the_python_that_was_asked_for_is_recognised_by_another_name():
    make(bootstrap.VENV, RUNNING._replace(executable=str(bootstrap.VENV / "bin" / "python")))

    assert bootstrap.python_for(bootstrap.VENV, asked=True) is None


def test_an_environment_from_another_folder_or_with_too_old_a_python_is_made_anew(tmp_path):
    make(bootstrap.VENV, BETTER, folder=tmp_path / "before")
    assert bootstrap.python_for(bootstrap.VENV, asked=False) == BETTER.executable

    make(bootstrap.BENCH_VENV, TOO_OLD)
    assert bootstrap.python_for(bootstrap.BENCH_VENV, asked=False) == BETTER.executable


@pytest.mark.parametrize("asked", [False, True])
def test_the_peers_run_on_the_python_that_we_run_on(asked):
    ours = BETTER._replace(executable=str(bootstrap.VENV / "bin" / "python"))
    make(bootstrap.VENV, ours)
    assert bootstrap.python_for(bootstrap.BENCH_VENV, asked=asked) == ours.executable

    make(bootstrap.BENCH_VENV, RUNNING)
    assert bootstrap.python_for(bootstrap.BENCH_VENV, asked=asked) == ours.executable


def test_peers_that_run_on_our_python_stay():
    make(bootstrap.VENV, BETTER)
    make(bootstrap.BENCH_VENV, BETTER)

    assert bootstrap.python_for(bootstrap.BENCH_VENV, asked=False) is None
