"""How a run of faults ends: a table for people, and an exit code for scripts."""

import io
from collections.abc import Iterator
from pathlib import Path

import chaos.__main__ as command
import pytest
from chaos.rounds import Row
from rich.console import Console

KEPT = Row("kill a worker", 3, 1_500, 1_440, 0, 0, 0, 4.1)
LOST = Row("cut the network", 2, 1_400, 1_439, 1, 0, 0, 3.6, ["1 lost: ['http://a.test/p/7']"])


def _run(monkeypatch: pytest.MonkeyPatch, rows: list[Row]) -> tuple[bool, str]:
    def plan(dice: object) -> Iterator[command.Round]:
        for row in rows:
            yield lambda folder, seed, row=row: row

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

    monkeypatch.setattr(command, "_plan", lambda dice: iter([breaks]))
    told = io.StringIO()

    assert not command.run(1, 1, None, Console(file=told, width=80))
    assert "RuntimeError: nginx did not start" in told.getvalue()
