"""Break the engine in small ways, one at a time, and look whether the named tests notice.

    python -m mutants [--only CLM-11] [--only hosts] [--sample 10 --seed 1] [--jobs 2] [--json FILE]

Each mutant of mutants/catalogue is applied to a scratch copy of the tree, never to the checkout. The exit
code is 1 when a mutant survived, 2 when an entry is stale or broken; Ctrl-C shows the results so far.
"""

import argparse
import json
import random
import sys
import time
from pathlib import Path

from chaos.stopping import stop_when_told
from mutants import table
from mutants.arguments import arguments
from mutants.load import chosen, load
from mutants.model import Stale, exit_code
from mutants.run import run
from rich.console import Console

from outrider.cli.output import console as output

ROOT = Path(__file__).parents[1]


def main() -> None:
    asked = arguments()
    stop_when_told()
    try:
        sys.exit(_run(asked, output(), ROOT))
    except Stale as problem:
        print(problem, file=sys.stderr)
        sys.exit(2)


def _run(asked: argparse.Namespace, console: Console, root: Path) -> int:
    mutants = chosen(load(root / "mutants" / "catalogue"), asked.only)
    if asked.sample and asked.sample < len(mutants):
        mutants = random.Random(asked.seed).sample(mutants, asked.sample)
    if not mutants:
        raise Stale(f"no mutant is listed for {', '.join(asked.only) or 'anything'}")
    began = time.monotonic()
    console.print(f"{len(mutants)} mutants; first their tests run without any of them.")
    results, stopped = run(mutants, root, asked.jobs, lambda result: console.print(table.line(result)))
    console.print(table.for_terminal(results))
    for text in table.found(results):
        console.print(text, soft_wrap=True)
    took_s = time.monotonic() - began
    console.print(f"{len(results)} of {len(mutants)} mutants in {took_s / 60:.1f} minutes")
    if asked.json is not None:
        facts = {
            "complete": stopped is None,
            "took_s": round(took_s, 1),
            "mutants": [result.facts() for result in results],
        }
        asked.json.write_text(json.dumps(facts, indent=2) + "\n")
    return exit_code(results) if stopped is None else stopped.exit_code


if __name__ == "__main__":
    main()
