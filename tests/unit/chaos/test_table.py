"""How a run of faults ends: a table for people, a page and programs, and an exit code for scripts."""

import io
import signal
from collections.abc import Iterator
from itertools import chain, repeat
from pathlib import Path

import pytest
from chaos import run as running
from chaos import table
from chaos.plan import Round
from chaos.rounds import Row
from chaos.run import Outcome, run
from chaos.stopping import Stopped
from rich.console import Console

KEPT = Row(3, 1_500, 1_440, 0, 0, 0, 4.1)
LOST = Row(2, 1_400, 1_439, 1, 0, 0, 3.6, ["1 lost: ['http://a.test/p/7']"])


def _round(name: str, row: Row) -> Round:
    return Round(name, lambda folder, seed: row)


def _run(*rounds: Round) -> tuple[Outcome, str]:
    told = io.StringIO()
    console = Console(file=told, width=80)
    outcome = run(rounds, (), 1, 1, console)
    console.print(table.for_terminal(outcome))
    return outcome, told.getvalue()


def test_a_run_that_kept_its_promises_is_a_success() -> None:
    outcome, told = _run(_round("kill a worker", KEPT), _round("kill a worker", KEPT))

    assert outcome.is_clean
    [line] = [line for line in told.splitlines() if line.strip().startswith("kill a worker  ")]
    assert line.split() == ["kill", "a", "worker", "6", "3,000", "2,880", "0", "0", "0", "4.1"]


def test_one_broken_promise_fails_the_whole_run_and_is_shown() -> None:
    outcome, told = _run(_round("kill a worker", KEPT), _round("cut the network", LOST))

    assert not outcome.is_clean
    assert "cut the network: 1,400 requests in 0 s, BROKEN" in told
    assert "http://a.test/p/7" in told


def test_a_round_that_breaks_down_is_a_finding() -> None:
    def breaks(folder: Path, seed: int) -> Row:
        raise RuntimeError("nginx did not start")

    outcome, told = _run(Round("a watch", breaks))

    assert not outcome.is_clean
    assert "RuntimeError: nginx did not start" in told


def test_what_there_was_no_time_for_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    now = chain((0.0, 0.0), repeat(61.0))
    monkeypatch.setattr(running.time, "monotonic", lambda: next(now))
    rounds = [_round("kill a worker", KEPT), _round("a watch", KEPT)]

    outcome = run(rounds, repeat(rounds[0]), 1, 1, Console(file=io.StringIO()))

    assert outcome.rows.keys() == {"kill a worker"}
    assert table.not_reached(outcome) == "Not reached: a watch."


def test_the_page_gets_every_round_and_all_of_them_together() -> None:
    page = table.for_page(Outcome({"kill a worker": KEPT, "cut the network": LOST}, ["a watch"]))

    assert page.splitlines() == [
        "| fault | times | requests | pages | lost | double | early | pause, s |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        "| kill a worker | 3 | 1,500 | 1,440 | 0 | 0 | 0 | 4.1 |",
        "| cut the network (broken) | 2 | 1,400 | 1,439 | 1 | 0 | 0 | 3.6 |",
        "| **all** (broken) | 5 | 2,900 | 2,879 | 1 | 0 | 0 | 4.1 |",
        "",
        "Not reached: a watch.",
    ]


def test_programs_get_every_figure() -> None:
    facts = Outcome({"cut the network": LOST}, ["a watch"]).facts()

    assert facts["not_reached"] == ["a watch"]
    [only] = facts["rounds"]
    assert (only["name"], only["lost"], only["pause_s"]) == ("cut the network", 1, 3.6)


def test_a_run_that_is_stopped_has_what_was_done_so_far() -> None:
    def rounds() -> Iterator[Round]:
        yield _round("kill a worker", KEPT)
        yield _round("cut the network", KEPT)
        raise Stopped(signal.SIGINT)

    outcome = run([_round("a watch", KEPT)], rounds(), 1, 1, Console(file=io.StringIO()))

    assert outcome.stopped is not None
    assert outcome.stopped.exit_code == 130
    assert outcome.rows.keys() >= {"a watch"}
