"""Plays rounds until the time is up, and tells what each of them came to."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import partial
from itertools import chain
from typing import Any

from chaos.plan import Round
from chaos.rounds import Row
from chaos.scratch import scratch
from chaos.side_by_side import Played, side_by_side
from chaos.stopping import Stopped
from rich.console import Console


@dataclass(frozen=True, slots=True)
class Outcome:
    """What all rounds came to, by their names, which had no time, and whether somebody ended it."""

    rows: Mapping[str, Row]
    not_reached: Sequence[str] = ()
    stopped: Stopped | None = None

    @property
    def is_clean(self) -> bool:
        return all(row.is_clean for row in self.rows.values())

    def facts(self) -> dict[str, Any]:
        """For programs."""
        rounds = [{"name": name} | asdict(row) for name, row in self.rows.items()]
        return {"rounds": rounds, "not_reached": list(self.not_reached)}


def run(
    first: Sequence[Round], then: Iterable[Round], minutes: float, seed: int, console: Console
) -> Outcome:
    """Begins nothing after so many minutes. Stopped, it has what was done so far."""
    rows: dict[str, Row] = {}
    stopped = None
    give_up_at = time.monotonic() + minutes * 60
    try:
        with closing(side_by_side(_until(give_up_at, chain(first, then), seed))) as all_played:
            for played in all_played:
                row = played.result or _broken("its process was killed")
                _tell(played, row, console)
                rows[played.name] = rows[played.name] + row if played.name in rows else row
    except Stopped as told:
        stopped = told
    return Outcome(rows, [each.name for each in first if each.name not in rows], stopped)


def _tell(played: Played[Row], row: Row, console: Console) -> None:
    verdict = "kept" if row.is_clean else "BROKEN"
    console.print(f"  {played.name}: {row.requests:,} requests in {played.took_s:.0f} s, {verdict}")
    for note in row.notes:
        console.print(f"    {note}", markup=False)


def _until(give_up_at: float, rounds: Iterable[Round], seed: int) -> Iterator[tuple[str, Callable[[], Row]]]:
    for number, each in enumerate(rounds):
        if time.monotonic() > give_up_at:
            return
        yield each.name, partial(_play, each, seed + number)


def _play(each: Round, seed: int) -> Row:
    with scratch() as folder:
        try:
            return each.play(folder, seed)
        except Exception as error:  # one round that breaks is a finding, the others still count
            return _broken(f"{type(error).__name__}: {error}"[:2000])


def _broken(why: str) -> Row:
    return Row(0, 0, 0, 0, 0, 0, 0.0, [why])
