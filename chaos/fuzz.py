"""Fuzzes every subject of tests/fuzz in turn until the time is up; what breaks is shown and kept."""

import random
import signal
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text
from tests.fuzz.mutate import mutated
from tests.fuzz.subjects import SUBJECTS, Subject

from outrider.cli.output import table

TURN_S = 2.0
LONGEST_S = 10.0  # for one input of at most 64 kB: longer is a hang
_COLUMNS = ("subject", "inputs", "broken", "slowest, ms")


@dataclass(slots=True)
class Tally:
    """What became of one subject."""

    inputs: int = 0
    slowest_s: float = 0.0
    broken: list[str] = field(default_factory=list)


class Tallies(dict[str, Tally]):
    """What became of all of them, by their names."""

    @property
    def is_clean(self) -> bool:
        return not any(tally.broken for tally in self.values())

    def facts(self) -> dict[str, Any]:
        """For programs."""
        return {"subjects": [{"name": name} | asdict(tally) for name, tally in self.items()]}

    def sentence(self) -> str:
        """For the page."""
        inputs = sum(tally.inputs for tally in self.values())
        broken = sum(len(tally.broken) for tally in self.values())
        slowest = max(self, key=lambda name: self[name].slowest_s)
        return (
            f"Fuzzing gave {inputs:,} damaged inputs to {len(self)} parsers; {broken} broke something. "
            f"The slowest took {self[slowest].slowest_s * 1000:.0f} ms ({slowest}).\n"
        )


class TookTooLong(Exception):
    """An input that is not done with in any decent time."""


def fuzz(minutes: float, seed: int, only: Sequence[str], console: Console) -> Tallies:
    """All subjects, or only some, one after the other and again."""
    dice = random.Random(seed)
    chosen = [subject for subject in SUBJECTS if not only or subject.name in only]
    tallies = Tallies((subject.name, Tally()) for subject in chosen)
    kept = Path(tempfile.mkdtemp(prefix="outrider-fuzz-"))
    give_up_at = time.monotonic() + minutes * 60
    while time.monotonic() < give_up_at:
        for subject in chosen:
            _turn(subject, tallies[subject.name], dice, kept, console)
    console.print(_table(tallies))
    if not any(kept.iterdir()):
        kept.rmdir()
    return tallies


def _turn(subject: Subject, tally: Tally, dice: random.Random, kept: Path, console: Console) -> None:
    corpus = subject.corpus
    until = time.monotonic() + TURN_S
    while time.monotonic() < until:
        data = mutated(dice, corpus)
        started = time.monotonic()
        try:
            with _at_most(LONGEST_S):
                subject.check(data)
        except Exception as error:
            why = f"{type(error).__name__}: {error}".splitlines()[0][:200]
            if why not in tally.broken:
                tally.broken.append(why)
                file = kept / f"{subject.name}-{len(tally.broken)}"
                file.write_bytes(data)
                console.print(f"{subject.name}: {why} ({file})", markup=False)
        tally.inputs += 1
        tally.slowest_s = max(tally.slowest_s, time.monotonic() - started)


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    def ring(number: int, frame: object) -> None:
        raise TookTooLong(f"longer than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _table(tallies: Tallies) -> Table:
    rows = (
        (
            name,
            f"{tally.inputs:,}",
            Text(str(len(tally.broken)), style="red" if tally.broken else ""),
            f"{tally.slowest_s * 1000:.0f}",
        )
        for name, tally in tallies.items()
    )
    return table(_COLUMNS, rows, right=_COLUMNS[1:], title="Fuzzing")
