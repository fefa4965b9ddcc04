"""Fuzzes the subjects of tests/fuzz until the time is up; what breaks is shown and kept."""

import random
import signal
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from chaos.stopping import Stopped, undisturbed
from chaos.tally import Tallies, Tally
from rich.console import Console
from tests.fuzz.mutate import mutated
from tests.fuzz.subjects import SUBJECTS, Subject

TURN_S = 0.5
TELL_EVERY_S = 15.0
LONGEST_S = 10.0  # for one input of at most 64 kB: longer is a hang


class TookTooLong(Exception):
    """An input that is not done with in any decent time."""


class Kept:
    """Inputs that broke something, in a folder that is there once one has."""

    @cached_property
    def _folder(self) -> Path:
        return Path(tempfile.mkdtemp(prefix="outrider-fuzz-"))

    def keep(self, name: str, data: bytes) -> Path:
        file = self._folder / name
        file.write_bytes(data)
        return file


def fuzz(minutes: float, seed: int, only: Sequence[str], console: Console) -> Tallies:
    """All subjects, or only some: the next turn is for who has had the fewest inputs.

    Stopped, it has what was done so far.
    """
    chosen = {subject.name: subject for subject in SUBJECTS if not only or subject.name in only}
    # Each has its own: the same seed gives it the same inputs, however long the turns of others.
    dice = {name: random.Random(f"{seed} {name}") for name in chosen}
    tallies = Tallies((name, Tally()) for name in chosen)
    kept = Kept()
    began = told = time.monotonic()
    try:
        while (now := time.monotonic()) < began + minutes * 60:
            if now > told + TELL_EVERY_S:
                told = now
                console.print(f"  {_passed(now - began, minutes * 60)}: {_so_far(tallies)}", highlight=False)
            name = min(tallies, key=lambda name: tallies[name].inputs)
            with undisturbed():
                _turn(chosen[name], tallies[name], dice[name], kept, console)
    except Stopped as stopped:
        tallies.stopped = stopped
    return tallies


def _turn(subject: Subject, tally: Tally, dice: random.Random, kept: Kept, console: Console) -> None:
    """One that breaks something ends it, for what was used to check may be spoilt."""
    corpus = subject.corpus
    until = time.monotonic() + TURN_S
    why = None
    with subject.checking() as check:
        while why is None and time.monotonic() < until:
            data = mutated(dice, corpus)
            started = time.monotonic()
            try:
                with _at_most(LONGEST_S):
                    check(data)
            except Exception as error:
                why = f"{type(error).__name__}: {error}".splitlines()[0][:200]
            tally.inputs += 1
            tally.slowest_s = max(tally.slowest_s, time.monotonic() - started)
    if why is not None and why not in tally.broken:
        tally.broken.append(why)
        file = kept.keep(f"{subject.name}-{len(tally.broken)}", data)
        console.print(f"{subject.name}: {why} ({file})", markup=False)


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    has_rung = False

    def ring(number: int, frame: object) -> None:
        nonlocal has_rung
        has_rung = True
        raise TookTooLong(f"longer than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    if has_rung:  # and somebody took it for an error of their own
        raise TookTooLong(f"longer than {seconds:g} s")


def _so_far(tallies: Tallies) -> str:
    return f"{tallies.inputs:,} inputs, {tallies.broken:,} broke something"


def _passed(seconds: float, of_s: float) -> str:
    """`1:15 of 5:00`"""
    return " of ".join(f"{int(each) // 60}:{int(each) % 60:02}" for each in (seconds, of_s))
