"""What a run is asked for, checked before anything begins."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from chaos.api import CALLERS
from chaos.faults import FAULTS
from chaos.plan import ROUNDS
from tests.fuzz.subjects import SUBJECTS

KNOWN = {
    "faults": [each.name for each in ROUNDS],
    "fuzz": [subject.name for subject in SUBJECTS],
    "api": list(CALLERS),
}
MINUTES = {"faults": 10.0, "fuzz": 5.0, "api": 5.0}
MOST_MINUTES = 7 * 24 * 60


def arguments(written: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="chaos", description="Break everything that can be broken.")
    parser.add_argument("what", nargs="?", choices=["faults", "fuzz", "api"], default="faults")
    parser.add_argument("--minutes", type=_minutes, help="begin nothing after this long; 10, to fuzz 5")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same faults and inputs")
    parser.add_argument("--json", type=_new_file, metavar="FILE", help="write the figures there as well")
    parser.add_argument("--docs", action="store_true", help="write the table into docs/performance.md")
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="NAME",
        help="this round or subject; may be given again",
    )
    asked = parser.parse_args(written)
    asked.minutes = asked.minutes or MINUTES[asked.what]
    if unknown := set(asked.only) - set(KNOWN[asked.what]):
        parser.error(f"no {_listed(sorted(unknown))}; there is: {_listed(KNOWN[asked.what])}")
    for name in asked.only:
        if asked.what == "faults" and name in FAULTS and (why := FAULTS[name].why_not()):
            parser.error(f"cannot {name} here: {why}")
    if asked.what == "api" and (asked.docs or asked.json):
        parser.error("api shows what it finds on the terminal only: leave --docs and --json out")
    if asked.only and asked.docs:
        parser.error("the page shows all of them: --docs goes without --only")
    return asked


def _minutes(text: str) -> float:
    try:
        if 0 < (number := float(text)) <= MOST_MINUTES:  # with none, everything would be found in order
            return number
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"minutes are a number above 0, up to {MOST_MINUTES}; not {text!r}")


def _new_file(text: str) -> Path:
    """Checked now, not after ten minutes."""
    path = Path(text)
    if path.is_dir():
        raise argparse.ArgumentTypeError(f"{path} is a folder")
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"{path.parent} is no folder")
    return path


def _listed(names: Sequence[str]) -> str:
    """Quoted, as some have commas."""
    return ", ".join(f'"{name}"' for name in names)
