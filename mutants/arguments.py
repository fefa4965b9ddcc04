"""What a run is asked for, checked before anything begins."""

import argparse
from collections.abc import Sequence
from pathlib import Path

MOST_JOBS = 64


def arguments(written: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="mutants", description="Break the engine in small ways and see which tests notice."
    )
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="REQUIREMENT|FILE|ROOM",
        help="mutants of this requirement, file or folder below src/outrider; may be given again",
    )
    parser.add_argument("--sample", type=_count, metavar="N", help="only so many of them, by --seed")
    parser.add_argument("--seed", type=int, default=1, help="the same seed takes the same sample")
    parser.add_argument("--jobs", type=_jobs, default=2, metavar="N", help="run so many side by side; 2")
    parser.add_argument("--json", type=_new_file, metavar="FILE", help="write the results there as well")
    return parser.parse_args(written)


def _count(text: str) -> int:
    if text.isascii() and text.isdigit() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"a number above 0, not {text!r}")


def _jobs(text: str) -> int:
    if (count := _count(text)) <= MOST_JOBS:
        return count
    raise argparse.ArgumentTypeError(f"at most {MOST_JOBS}, not {text}")


def _new_file(text: str) -> Path:
    """Checked now, not after half an hour."""
    path = Path(text)
    if path.is_dir() or not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"{path} is no file that can be written")
    return path
