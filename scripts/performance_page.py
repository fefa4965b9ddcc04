"""Puts measured tables into a page of docs, between the markers of their names; the prose stays."""

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "performance.md"


def write(name: str, block: str, page: Path = PAGE) -> None:
    page.write_text(with_block(page.read_text(), name, block))


def with_block(page: str, name: str, block: str) -> str:
    """The page with everything between the markers of `name` replaced."""
    opening, closing = f"<!-- {name} -->", f"<!-- /{name} -->"
    found = re.compile(f"{re.escape(opening)}.*?{re.escape(closing)}", re.DOTALL)
    replaced, count = found.subn(lambda _: f"{opening}\n\n{block}\n{closing}", page)
    if count != 1:
        raise ValueError(f"{count} places for {opening}")
    return replaced
