"""Puts measured tables into docs/performance.md, between the markers of their names; the prose stays."""

import re
from pathlib import Path

from benchmarks.report import Report

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "performance.md"
IMAGES = ROOT / "docs" / "images"


def write(report: Report, measured: str) -> None:
    block = f"{report.markdown()}\n*Measured {measured}.*\n"
    PAGE.write_text(with_block(PAGE.read_text(), report.name, block))


def with_block(page: str, name: str, block: str) -> str:
    """The page with everything between the markers of `name` replaced."""
    opening, closing = f"<!-- bench:{name} -->", f"<!-- /bench:{name} -->"
    found = re.compile(f"{re.escape(opening)}.*?{re.escape(closing)}", re.DOTALL)
    replaced, count = found.subn(lambda _: f"{opening}\n\n{block}\n{closing}", page)
    if count != 1:
        raise ValueError(f"{count} places for {opening}")
    return replaced
