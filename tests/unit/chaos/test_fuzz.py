"""How fuzzing shares its time, what it keeps, and how it ends."""

import io
import signal
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from chaos import fuzz as fuzzing
from chaos.fuzz import fuzz
from chaos.stopping import stop_when_told
from chaos.tally import Tallies
from rich.console import Console
from tests.fuzz.subjects import Subject

SHORT = 0.2 / 60
NAMES = ("urls", "dates")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(fuzzing, "TURN_S", 0.02)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Tallies, str]]:
    def play(*checks: Callable[[bytes], None], seed: int = 1) -> tuple[Tallies, str]:
        subjects = [
            Subject(name, partial(nullcontext, check)) for name, check in zip(NAMES, checks, strict=False)
        ]
        monkeypatch.setattr(fuzzing, "SUBJECTS", subjects)
        told = io.StringIO()
        return fuzz(SHORT, seed, (), Console(file=told, width=200)), told.getvalue()

    return play


Play = Callable[..., tuple[Tallies, str]]


def test_the_next_turn_is_for_the_subject_with_the_fewest_inputs(play: Play) -> None:
    given: list[str] = []

    def one_a_turn(data: bytes) -> None:
        given.append("urls")
        raise ValueError

    play(one_a_turn, lambda data: given.append("dates"))

    had = Counter[str]()
    for before, name in pairwise(["", *given]):
        if name == "urls" or before == "urls":  # a turn begins
            assert had[name] == min(had["urls"], had["dates"])
        had[name] += 1
    assert had["dates"] > 0 < had["urls"]


def test_the_same_seed_gives_each_subject_the_same_inputs(play: Play) -> None:
    given: list[list[bytes]] = []
    for seed in (7, 7, 8):
        given.append([])
        play(given[-1].append, lambda data: None, seed=seed)

    assert given[0][:10] == given[1][:10]
    assert given[0][:10] != given[2][:10]


def test_what_breaks_something_is_kept_once_and_nothing_else_is(play: Play, tmp_path: Path) -> None:
    def break_on(data: bytes) -> None:
        raise ValueError("odd")

    tallies, told = play(break_on)

    assert tallies["urls"].broken == ["ValueError: odd"]
    [kept] = tmp_path.glob("outrider-fuzz-*/*")
    assert f"urls: ValueError: odd ({kept})" in told


def test_nothing_is_left_where_nothing_broke(play: Play, tmp_path: Path) -> None:
    tallies, _ = play(lambda data: None)

    assert tallies.is_clean
    assert list(tmp_path.iterdir()) == []


def test_an_input_without_end_is_found_though_the_parser_swallows_every_error(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuzzing, "LONGEST_S", 0.01)

    def hang(data: bytes) -> None:
        try:
            signal.pause()
        except Exception:
            return

    tallies, _ = play(hang)

    assert tallies["urls"].broken == ["TookTooLong: longer than 0.01 s"]


def test_a_stopped_run_finishes_the_turn_and_keeps_its_results(play: Play) -> None:
    stop_when_told()

    tallies, _ = play(lambda data: signal.raise_signal(signal.SIGTERM))

    assert tallies.stopped is not None
    assert tallies.stopped.exit_code == 143
    assert tallies["urls"].inputs >= 1
