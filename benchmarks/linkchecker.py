"""Runs linkchecker of the bench environment."""

import csv
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.bench_environment import python


def run_linkchecker(
    config: str, pages: Sequence[str], folder: Path, *, longest_s: float
) -> list[Mapping[str, str]]:
    """What linkchecker says of every link, as the rows of its CSV file. It reads and writes in `folder`."""
    result, settings = folder / "result.csv", folder / "linkcheckerrc"
    result.unlink(missing_ok=True)
    settings.write_text(config)
    command = [str(python().with_name("linkchecker")), "-f", str(settings), "--check-extern", "--verbose"]
    subprocess.run(
        [*command, "--no-status", "-o", "none", "-F", f"csv/utf-8/{result}", *pages],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env={**os.environ, "HOME": str(folder)},
        check=False,
        timeout=longest_s,
    )
    lines = [line for line in result.read_text().splitlines() if not line.startswith("# ")]
    return list(csv.DictReader(lines, delimiter=";"))
