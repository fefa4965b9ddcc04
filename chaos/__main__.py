"""Break everything that can be broken, and look whether the promises hold.

    python -m chaos [--minutes 10] [--seed 1] [--only "fill the disk"] [--json FILE] [--docs]
    python -m chaos fuzz [--minutes 5] [--seed 1] [--only pages] [--json FILE] [--docs]

Each round has a web, a database and a disk of its own here and leaves nothing behind. The exit code is 1 when
a page was lost, an effect counted twice, a request early, or a run did not come back.
"""

import argparse
import json
import random
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks import machine
from chaos import docs, table
from chaos.faults import FAULTS
from chaos.fuzz import fuzz
from chaos.plan import ROUNDS, planned
from chaos.run import run
from rich.console import Console
from tests.fuzz.subjects import SUBJECTS

from outrider.cli.output import console as output

KNOWN = {"faults": [each.name for each in ROUNDS], "fuzz": [subject.name for subject in SUBJECTS]}
MINUTES = {"faults": 10.0, "fuzz": 5.0}


def main() -> None:
    asked = _arguments()
    # However it is ended, webs, databases and disks go with it.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    console, here = output(), machine.describe(datetime.now(UTC))
    console.print(f"{here}, seed {asked.seed}", soft_wrap=True)
    is_clean, facts, block = (_fuzz if asked.what == "fuzz" else _faults)(asked, console)
    if asked.json is not None:
        asked.json.write_text(json.dumps({"machine": here, "seed": asked.seed} | facts, indent=2) + "\n")
    if asked.docs:
        name = {"faults": "chaos", "fuzz": "chaos:fuzz"}[asked.what]
        docs.write(name, f"{block}\n*Measured {here}; {asked.minutes:g} minutes, seed {asked.seed}.*\n")
    sys.exit(not is_clean)


def _faults(asked: argparse.Namespace, console: Console) -> tuple[bool, dict[str, Any], str]:
    for fault in FAULTS.values():
        if why := fault.why_not():
            console.print(f"not here: {fault.name} ({why})")
    first, then = planned(random.Random(asked.seed), asked.only)
    outcome = run(first, then, asked.minutes, asked.seed, console)
    console.print(table.for_terminal(outcome))
    console.print(table.not_reached(outcome), soft_wrap=True)
    return outcome.is_clean, outcome.facts(), table.for_page(outcome)


def _fuzz(asked: argparse.Namespace, console: Console) -> tuple[bool, dict[str, Any], str]:
    tallies = fuzz(asked.minutes, asked.seed, asked.only, console)
    return tallies.is_clean, tallies.facts(), tallies.sentence()


def minutes(text: str) -> float:
    if not (number := float(text)) > 0:
        raise ValueError  # nothing would be tried, and everything found in order
    return number


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="chaos", description="Break everything that can be broken.")
    parser.add_argument("what", nargs="?", choices=["faults", "fuzz"], default="faults")
    parser.add_argument("--minutes", type=minutes, help="begin nothing after this long; 10, to fuzz 5")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same faults")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    parser.add_argument("--docs", action="store_true", help="write the table into docs/performance.md")
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="NAME",
        help="this round or subject; may be given again",
    )
    asked = parser.parse_args()
    asked.minutes = asked.minutes or MINUTES[asked.what]
    if unknown := set(asked.only) - set(KNOWN[asked.what]):
        parser.error(f"no {', '.join(sorted(unknown))}; there is: {', '.join(KNOWN[asked.what])}")
    if asked.only and asked.docs:
        parser.error("the page shows all of them: --docs goes without --only")
    return asked


if __name__ == "__main__":
    main()
