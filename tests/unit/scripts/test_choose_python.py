"""The best-built Python of the machine is taken, and only one that can run Outrider."""

import json
import sys
from pathlib import Path

import pytest
from choose_python import Python, ask, choose, describe, is_optimised, on_this_machine

from outrider.cli.doctor.checkup import CheckResult, _python


def python(version, *, optimised=True, build="cpython", missing=(), prefix="/opt"):
    return Python(f"{prefix}/bin/python{version}", _numbers(version), prefix, build, optimised, missing)


def _numbers(version):
    return tuple(int(part) for part in version.split("."))


PLAIN = python("3.12.4", optimised=False)
NO_SSL = python("3.12.4", missing=("ssl",))


@pytest.mark.parametrize(
    ("default", "others", "chosen"),
    [
        pytest.param(python("3.11.2"), ["3.13.1"], "3.11.2", id="python3 is good enough"),
        pytest.param(PLAIN, ["3.11.2"], "3.11.2", id="an older one is better built"),
        pytest.param(PLAIN, ["3.11.9", "3.13.0", "3.12.9"], "3.13.0", id="the newest of several"),
        pytest.param(PLAIN, [], "3.12.4", id="there is no other"),
        pytest.param(PLAIN, [python("3.13.0", optimised=False)], "3.12.4", id="the other is no better"),
        pytest.param(PLAIN, [python("3.13.0", missing=("ssl",))], "3.12.4", id="the other lacks a module"),
        pytest.param(PLAIN, [python("3.13.0", build="cpythont")], "3.12.4", id="free-threaded"),
        pytest.param(PLAIN, [python("3.11.9", build="pypy")], "3.12.4", id="not CPython"),
        pytest.param(PLAIN, ["3.10.14", "3.9.2"], "3.12.4", id="the others are too old"),
        pytest.param(PLAIN, ["3.15.0"], "3.12.4", id="no wheels for the other yet"),
        pytest.param(python("3.15.0"), ["3.13.0"], "3.15.0", id="python3 may be newer than we know"),
        pytest.param(python("3.9.2"), ["3.11.2"], "3.11.2", id="python3 is too old"),
        pytest.param(NO_SSL, ["3.11.2"], "3.11.2", id="python3 lacks a module"),
    ],
)
def test_the_choice_is_python3_or_the_newest_that_is_better_built(default, others, chosen):
    found = [python(each) if isinstance(each, str) else each for each in others]

    assert choose(default, found).version == _numbers(chosen)


def test_no_other_python_is_tried_if_python3_is_good_enough():
    others = iter([python("3.13.1")])
    choose(python("3.11.2"), others)

    assert list(others) == [python("3.13.1")]


@pytest.mark.parametrize("prefix", ["/usr", "/usr/local", "/opt/pyenv/versions/3.12.1"])
@pytest.mark.parametrize("built_with", [None, "'--enable-shared'", "'--enable-optimizations' '--with-lto'"])
def test_set_up_and_the_doctor_are_of_one_mind(built_with, prefix):
    assert is_optimised(built_with, prefix) == (_python(built_with, prefix).verdict is CheckResult.GOOD)


def test_a_python_says_the_same_about_itself_and_when_asked():
    asked = ask(Path(sys.executable))

    assert asked == describe()
    assert asked.is_same_as(describe()._replace(executable="/elsewhere/python3"))
    assert not asked.is_same_as(describe()._replace(version=(3, 10, 0)))
    assert asked.can_run_outrider()


def test_a_module_that_cannot_be_imported_is_missing(monkeypatch):
    monkeypatch.setattr("choose_python.NEEDED", ("ssl", "zlib"))
    monkeypatch.setitem(sys.modules, "zlib", None)

    assert describe().missing == ("zlib",)
    assert not describe().can_run_outrider()


@pytest.fixture
def program(tmp_path):
    """Put a program into a folder."""

    def put(name, script):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return path

    return put


def answering(version):
    return f"echo '{json.dumps(python(version)._asdict())}'"


@pytest.mark.parametrize(
    "script",
    [
        pytest.param("echo 'pyenv: python3.12: command not found' >&2; exit 127", id="a shim for nothing"),
        pytest.param(f"{answering('3.12.1')}; exit 1", id="fails in the end"),
        pytest.param("echo Python 3.12.1", id="no JSON"),
        pytest.param("echo '[]'", id="no object"),
        pytest.param("echo '{}'", id="says nothing"),
        pytest.param("""echo '{"version": [3], "missing": [], "more": 1}'""", id="says other things"),
        pytest.param("head -c 9 /dev/zero", id="no text"),
        pytest.param("read line && " + answering("3.12.1"), id="waits to be told"),
    ],
)
def test_a_candidate_that_does_not_answer_is_passed_over(program, script):
    assert ask(program("python3", script)) is None


def test_a_candidate_that_hangs_is_passed_over(program, monkeypatch):
    monkeypatch.setattr("choose_python.PATIENCE", 0.1)

    assert ask(program("python3", "exec sleep 60")) is None


def test_candidates_are_found_by_name_and_each_program_is_asked_once(program, tmp_path, monkeypatch):
    monkeypatch.setattr("choose_python.SYSTEM_PREFIX", str(tmp_path))
    program("first/python3.12", answering("3.12.1"))
    program("first/python3.9", answering("3.9.1"))
    program("first/python3-config", answering("3.13.1"))
    (tmp_path / "first" / "python3").symlink_to("python3.12")
    program("second/python3", answering("3.11.1"))
    program("second/python3.13", "exit 127")
    program("second/python3.14", answering("3.14.1")).chmod(0o644)
    program("bin/python3.11", answering("3.11.2"))
    path = f"{tmp_path}/first::.:{tmp_path}/nowhere:{tmp_path}/second"

    assert [each.version for each in on_this_machine(path)] == [(3, 12, 1), (3, 11, 1), (3, 11, 2)]
