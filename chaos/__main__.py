"""Break everything that can be broken, and look whether the promises hold.

    python -m chaos [--minutes 10] [--seed 1] [--json FILE]
    python -m chaos fuzz [--minutes 5] [--seed 1] [--only pages]

Each round has a web, a database and a disk of its own here and leaves nothing behind. The exit code is 1 when
a page was lost, an effect counted twice, a request early, or a run did not come back.
"""

import argparse
import json
import platform
import random
import signal
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from functools import partial
from itertools import chain, repeat
from pathlib import Path

from chaos import rounds
from chaos.faults import FAULTS
from chaos.fuzz import fuzz
from chaos.rounds import Row
from chaos.stage import scratch
from rich.console import Console
from rich.table import Table
from rich.text import Text
from tests.fuzz.subjects import SUBJECTS

from outrider.cli.output import console as output
from outrider.cli.output import table

Round = Callable[[Path, int], Row]

_COLUMNS = ("fault", "times", "requests", "pages", "lost", "double", "early", "pause, s")


def run(minutes: float, seed: int, json_file: Path | None, console: Console) -> bool:
    """Rounds until the time is up; True when every zero is one."""
    started = datetime.now(UTC).isoformat(timespec="seconds")
    console.print(f"{started}, {platform.platform()}, Python {platform.python_version()}, seed {seed}")
    for fault in FAULTS.values():
        if why := fault.why_not():
            console.print(f"not here: {fault.name} ({why})")
    rows: dict[str, Row] = {}
    give_up_at = time.monotonic() + minutes * 60
    first, mixtures = _plan(random.Random(seed))
    for number, play in enumerate(chain(first, mixtures)):
        if time.monotonic() > give_up_at:
            left = ", ".join(map(_name_of, first[number:]))
            console.print(f"not reached in {minutes:g} minutes: {left}" if left else "", markup=False)
            break
        row = _play(play, seed + number)
        console.print(f"  {row.name}: {row.requests:,} requests, {'kept' if row.is_clean else 'BROKEN'}")
        for note in row.notes:
            console.print(f"    {note}", markup=False)
        rows[row.name] = _sum(rows[row.name], row) if row.name in rows else row
    console.print(_table(list(rows.values())))
    if json_file is not None:
        facts = {"started": started, "seed": seed, "rounds": [asdict(row) for row in rows.values()]}
        json_file.write_text(json.dumps(facts, indent=2) + "\n")
    return all(row.is_clean for row in rows.values())


def _plan(dice: random.Random) -> tuple[Sequence[Round], Iterable[Round]]:
    """Every fault once, by the dice, the longest round last; then mixtures, for as long as there is time."""
    single = [partial(rounds.of_one_fault, fault) for fault in FAULTS.values() if not fault.why_not()]
    first: list[Round] = [*single, rounds.of_a_watch, rounds.of_dripping_hosts]
    dice.shuffle(first)
    return [*first, rounds.of_silent_hosts], repeat(rounds.of_all_faults)


def _play(play: Round, seed: int) -> Row:
    with scratch() as folder:
        try:
            return play(folder, seed)
        except Exception as error:  # one round that breaks is a finding, the others still count
            notes = [f"{type(error).__name__}: {error}"[:2000]]
            return Row(_name_of(play), 0, 0, 0, 0, 0, 0, 0.0, notes)


def _name_of(play: Round) -> str:
    if isinstance(play, partial):
        return str(play.args[0].name)
    return play.__name__.removeprefix("of_").replace("_", " ")


def _sum(one: Row, other: Row) -> Row:
    return replace(
        one,
        times=one.times + other.times,
        requests=one.requests + other.requests,
        pages=one.pages + other.pages,
        lost=one.lost + other.lost,
        double=one.double + other.double,
        early=one.early + other.early,
        pause_s=max(one.pause_s, other.pause_s),
        notes=[*one.notes, *other.notes],
    )


def _table(rows: list[Row]) -> Table:
    return table(_COLUMNS, map(_cells, rows), right=_COLUMNS[1:], title="Under fire")


def _cells(row: Row) -> tuple[object, ...]:
    zeros = (Text(str(number), style="red" if number else "") for number in (row.lost, row.double, row.early))
    name = Text(row.name, style="" if row.is_clean else "red")
    return name, row.times, f"{row.requests:,}", f"{row.pages:,}", *zeros, f"{row.pause_s:.1f}"


def minutes(text: str) -> float:
    if not (number := float(text)) > 0:
        raise ValueError  # nothing would be tried, and everything found in order
    return number


def main() -> None:
    parser = argparse.ArgumentParser(prog="chaos", description="Break everything that can be broken.")
    parser.add_argument("what", nargs="?", choices=["faults", "fuzz"], default="faults")
    parser.add_argument("--minutes", type=minutes, default=10.0, help="begin nothing after this long")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same faults")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the table there as well")
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        choices=[subject.name for subject in SUBJECTS],
        help="fuzz this subject; may be given again",
    )
    asked = parser.parse_args()
    # However it is ended, webs, databases and disks go with it.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    if asked.what == "fuzz":
        sys.exit(not fuzz(asked.minutes, asked.seed, asked.only, output()))
    sys.exit(not run(asked.minutes, asked.seed, asked.json, output()))


if __name__ == "__main__":
    main()
