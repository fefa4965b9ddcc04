"""Runs on a tiny tree: what is killed, what survives, what is stale and what is broken are told apart."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest
from chaos.stopping import Stopped
from mutants import run as runs
from mutants.model import Mutant, Result, Verdict
from mutants.run import limit_s, run
from tests.support.embedded import within

ROOT = Path(__file__).parents[3]

SUMS = """
LIMIT = 10


def add(a: int, b: int) -> int:
    return min(a + b, LIMIT)


def count_down(number: int) -> int:
    while number > 0:
        number -= 1
    return number
"""
TESTS = """
import pytest
from outrider.sums import add, count_down

def test_a_sum():
    assert add(2, 3) == 5

def test_a_sum_that_is_expected_wrongly():
    assert add(2, 2) == 5

@pytest.mark.parametrize("number", [0, 3])
def test_nothing_is_left(number):
    assert count_down(number) == 0
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in {
        "src/outrider/__init__.py": "",
        "src/outrider/sums.py": SUMS,
        "tests/test_sums.py": TESTS,
        ".gitignore": "ignored/\n",
        "ignored/large": "",
    }.items():
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "tree"


def _mutant(find: str, replace: str, *tests: str) -> Mutant:
    names = tests or ("test_a_sum",)
    return Mutant(
        requirement="FRO-01",
        breaks=f"{find} became {replace}",
        file="src/outrider/sums.py",
        find=find,
        replace=replace,
        tests=tuple(f"tests/test_sums.py::{name}" for name in names),
    )


def _run(tree: Path, *mutants: Mutant, jobs: int = 1) -> Sequence[Result]:
    """In the order of the mutants."""
    told: list[Result] = []
    results, stopped = run(mutants, tree, jobs, told.append)
    assert stopped is None
    assert told == results
    return sorted(results, key=lambda result: mutants.index(result.mutant))


def test_killed_and_surviving_mutants_are_distinguished_and_the_tree_is_not_touched(tree: Path):
    before = {path: path.read_text() for path in tree.rglob("*") if path.is_file()}

    killed, also_killed, survivor = _run(
        tree,
        _mutant("a + b", "a - b"),
        _mutant("number -= 1", "number -= 2", "test_a_sum", "test_nothing_is_left"),
        _mutant("LIMIT = 10", "LIMIT = 11"),
        jobs=2,
    )

    assert (killed.verdict, survivor.verdict) == (Verdict.KILLED, Verdict.SURVIVED)
    assert also_killed.verdict is Verdict.KILLED
    assert killed.why.startswith("test_a_sum: ")
    assert {path: path.read_text() for path in tree.rglob("*") if path.is_file()} == before


def test_two_mutations_of_one_length_within_a_second_are_two(tree: Path):
    wrong, right = _mutant("a + b", "a * b"), _mutant("a + b", "b + a")

    results = _run(tree, wrong, right)

    assert [result.verdict for result in results] == [Verdict.KILLED, Verdict.SURVIVED]


def test_an_entry_that_does_not_fit_the_tree_is_stale_and_others_run(tree: Path):
    wanted = {
        _mutant("a / b", "a * b"): "has no such text",
        _mutant("return", "yield"): "2 times; say which",
        _mutant("a + b", "a - b", "test_nothing"): "there is no test tests/test_sums.py::test_nothing",
        _mutant("a + b", "a - b", "test_a_sum_that_is_expected_wrongly"): "is_expected_wrongly failed",
    }

    *stale, other = _run(tree, *wanted, _mutant("a + b", "a - b"))

    assert [result.verdict for result in stale] == [Verdict.STALE] * 4
    assert [why in result.why for result, why in zip(stale, wanted.values(), strict=True)] == [True] * 4
    assert other.verdict is Verdict.KILLED


def test_a_mutant_that_is_no_program_is_broken_and_not_killed(tree: Path):
    changes = [("a + b", "a +"), ("10", "NOTHING"), ("LIMIT = 10", "import nothing"), ("a + b", "a + c")]

    results = _run(tree, *(_mutant(find, replace) for find, replace in changes))

    assert [result.verdict for result in results] == [Verdict.BROKEN] * 4
    assert all("Error" in result.why for result in results)


def test_a_mutant_that_never_ends_is_killed_by_its_time(tree: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(runs, "LEAST_LIMIT_S", 5.0)

    (result,) = _run(tree, _mutant("number -= 1", "number += 1", "test_nothing_is_left"))

    assert result.verdict is Verdict.TIMED_OUT


def test_a_slow_test_gets_many_times_what_it_usually_takes():
    assert limit_s(["a", "b"], {"a": 30.0, "b": 2.0, "c": 99.0}) >= 320.0


def test_who_ends_the_run_gets_the_results_so_far(tree: Path):
    def stop(result: Result) -> None:
        raise Stopped(2)

    results, stopped = run([_mutant("a + b", "a - b"), _mutant("a + b", "b + a")], tree, 1, stop)

    assert [result.verdict for result in results] == [Verdict.KILLED]
    assert stopped is not None
    assert stopped.exit_code == 130


def test_tests_that_would_not_import_the_copy_do_not_run(tree: Path):
    """An editable install of the checkout must not win over the copy."""
    (tree / "src" / "outrider" / "__init__.py").unlink()  # Python prefers packages that have one

    (result,) = _run(tree, _mutant("a + b", "a - b"))

    assert result.verdict is Verdict.STALE
    assert "the tests would import" in result.why


ENDLESS = """
import os, signal
from pathlib import Path

def test_a_sum():
    Path({mark!r}).write_text(str(os.getpid()))
    signal.pause()
"""
PROGRAM = """
import sys
from pathlib import Path
from chaos.stopping import stop_when_told
from mutants.model import Mutant
from mutants.run import run

stop_when_told()
mutant = Mutant("FRO-01", "", "src/outrider/sums.py", "a + b", "a - b", ("tests/test_sums.py::test_a_sum",))
results, stopped = run([mutant], Path(sys.argv[1]), 1, print)
sys.exit(stopped.exit_code if stopped else 0)
"""


def test_an_interrupt_ends_the_tests_under_way(tree: Path, tmp_path: Path):
    mark = tmp_path / "pid"
    (tree / "tests" / "test_sums.py").write_text(ENDLESS.format(mark=str(mark)))
    running = subprocess.Popen([sys.executable, "-c", PROGRAM, str(tree)], cwd=ROOT, start_new_session=True)
    try:
        assert within(60, lambda: mark.exists() and bool(mark.read_text()))
        running.send_signal(signal.SIGINT)

        assert running.wait(60) == 130
        assert within(10, lambda: not psutil.pid_exists(int(mark.read_text())))
    finally:
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)
