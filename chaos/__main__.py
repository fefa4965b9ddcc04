"""Break everything that can be broken, and look whether the promises hold.

    python -m chaos [--minutes 10] [--seed 1] [--only "fill the disk"] [--json FILE] [--docs]
    python -m chaos fuzz [--minutes 5] [--seed 1] [--only pages] [--json FILE] [--docs]
    python -m chaos api [--minutes 5] [--seed 1] [--only admin]

Each round has a web, a database and a disk of its own here and leaves nothing behind. The exit code is 1 when
a page was lost, an effect counted twice, a request early, or a run did not come back; a run that is ended by
Ctrl-C shows what it has so far, and its code is 130.
"""

import argparse
import json
import random
import sys
from datetime import UTC, datetime
from typing import Any

from benchmarks import machine
from chaos import table
from chaos.api import fuzz_api
from chaos.arguments import arguments
from chaos.faults import FAULTS
from chaos.fuzz import fuzz
from chaos.leftovers import sweep
from chaos.plan import planned
from chaos.run import Outcome, run
from chaos.stopping import Stopped, stop_when_told
from chaos.tally import Tallies
from rich.console import Console
from scripts import performance_page

from outrider.cli.output import console as output


def main() -> None:
    asked = arguments()
    stop_when_told()  # however it is ended, webs, databases and disks go with it
    try:
        sys.exit(_run(asked, output()))
    except Stopped as stopped:
        sys.exit(stopped.exit_code)


def _run(asked: argparse.Namespace, console: Console) -> int:
    here = machine.describe(datetime.now(UTC))
    console.print(f"{here}, seed {asked.seed}", soft_wrap=True)
    if asked.what == "api":
        return fuzz_api(asked.minutes, asked.seed, asked.only, console)
    found = (_fuzz if asked.what == "fuzz" else _faults)(asked, console)
    if asked.json is not None:
        facts: dict[str, Any] = {"machine": here, "seed": asked.seed, "complete": found.stopped is None}
        asked.json.write_text(json.dumps(facts | found.facts(), indent=2) + "\n")
    if found.stopped is not None:
        console.print("Ended before its time." + (" The page stays as it was." if asked.docs else ""))
        return found.stopped.exit_code
    if asked.docs:
        name = {"faults": "chaos", "fuzz": "chaos:fuzz"}[asked.what]
        block = found.for_page() if isinstance(found, Tallies) else table.for_page(found)
        performance_page.write(
            name, f"{block}\n*Measured {here}; {asked.minutes:g} minutes, seed {asked.seed}.*\n"
        )
    return 0 if found.is_clean else 1


def _faults(asked: argparse.Namespace, console: Console) -> Outcome:
    sweep(lambda told: console.print(told, soft_wrap=True))
    if not asked.only:
        for fault in FAULTS.values():
            if why := fault.why_not():
                console.print(f"not here: {fault.name} ({why})")
    first, then = planned(random.Random(asked.seed), asked.only)
    outcome = run(first, then, asked.minutes, asked.seed, console)
    console.print(table.for_terminal(outcome))
    console.print(table.not_reached(outcome), soft_wrap=True)
    return outcome


def _fuzz(asked: argparse.Namespace, console: Console) -> Tallies:
    tallies = fuzz(asked.minutes, asked.seed, asked.only, console)
    console.print(tallies.for_terminal())
    return tallies


if __name__ == "__main__":
    main()
