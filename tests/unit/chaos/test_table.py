"""How a run of faults ends: a table for people, and an exit code for scripts."""

import io
from collections.abc import Sequence
from itertools import repeat
from pathlib import Path

import chaos.__main__ as command
import pytest
from chaos.rounds import Row
from rich.console import Console

KEPT = Row("kill a worker", 3, 1_500, 1_440, 0, 0, 0, 4.1)
LOST = Row("cut the network", 2, 1_400, 1_439, 1, 0, 0, 3.6, ["1 lost: ['http://a.test/p/7']"])


def _run(monkeypatch: pytest.MonkeyPatch, rows: list[Row]) -> tuple[bool, str]:
    def plan(dice: object) -> tuple[Sequence[command.Round], Sequence[command.Round]]:
        return [lambda folder, seed, row=row: row for row in rows], ()

    monkeypatch.setattr(command, "_plan", plan)
    told = io.StringIO()
    return command.run(1, 1, None, Console(file=told, width=80)), told.getvalue()


def test_a_run_that_kept_its_promises_is_a_success(monkeypatch: pytest.MonkeyPatch) -> None:
    is_clean, told = _run(monkeypatch, [KEPT, KEPT])

    assert is_clean
    [line] = [line for line in told.splitlines() if line.strip().startswith("kill a worker  ")]
    assert line.split() == ["kill", "a", "worker", "6", "3,000", "2,880", "0", "0", "0", "4.1"]


def test_one_broken_promise_fails_the_whole_run_and_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    is_clean, told = _run(monkeypatch, [KEPT, LOST])

    assert not is_clean
    assert "cut the network: 1,400 requests, BROKEN" in told
    assert "http://a.test/p/7" in told


def test_a_round_that_breaks_down_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(folder: Path, seed: int) -> Row:
        raise RuntimeError("nginx did not start")

    monkeypatch.setattr(command, "_plan", lambda dice: ([breaks], ()))
    told = io.StringIO()

    assert not command.run(1, 1, None, Console(file=told, width=80))
    assert "RuntimeError: nginx did not start" in told.getvalue()


def test_what_there_was_no_time_for_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter((0.0, 0.0, 61.0))

    def of_a_watch(folder: Path, seed: int) -> Row:
        return KEPT

    monkeypatch.setattr(command, "_plan", lambda dice: ([of_a_watch, of_a_watch], repeat(of_a_watch)))
    monkeypatch.setattr(command.time, "monotonic", lambda: next(now))
    told = io.StringIO()

    assert command.run(1, 1, None, Console(file=told, width=80))
    assert "not reached in 1 minutes: a watch" in told.getvalue()


@pytest.mark.parametrize("text", ["0", "-1", "nan", "x"])
def test_a_run_of_no_time_at_all_is_wrong_usage(
    text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["chaos", "--minutes", text])

    with pytest.raises(SystemExit, match="2"):
        command.main()

    assert f"invalid minutes value: '{text}'" in capsys.readouterr().err
