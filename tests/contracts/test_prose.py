"""Markdown sources stay narrow, and sentences name their subject."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WIDTH = 110
REFERENCE = ROOT / "docs" / "reference"

# Written by `make docs`, or one row for each requirement with the names of its tests.
NOT_WRITTEN_BY_HAND = {
    REFERENCE / "cli.md",
    REFERENCE / "names.md",
    REFERENCE / "settings.md",
    ROOT / "docs" / "requirements.md",
}
STORIES = ROOT / "src" / "outrider" / "demo" / "content"  # newspaper articles, which tell of people
# Frozen migrations cannot change, and schema.sql shows their comments.
FROZEN = {
    "src/outrider/db/migrations/0001_frontier.up.sql",
    "src/outrider/db/migrations/0002_sources.up.sql",
    "src/outrider/db/migrations/0003_jobs.up.sql",
    "src/outrider/db/schema.sql",
}
# Files with sentences that name no subject. The list may only shrink.
NOT_YET = {
    "docs/requirements.md",
    "src/outrider/demo/hosts.py",
}

_GENERATED = re.compile(r"^<!-- ([\w:-]+) -->$.*?^<!-- /\1 -->$", re.M | re.S)
_CODE = re.compile(r"^( *)```.*?^\1```|(?<![^\n]\n)^(?: {4}[^\n]*\n)+", re.M | re.S)
_URL = re.compile(r"https?://[^\s)>]+")
_NO_SUBJECT = re.compile(r"\b(?:somebody|nobody|whoever)\b", re.I)


def _pages() -> list[Path]:
    return sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")} - NOT_WRITTEN_BY_HAND)


def _texts() -> Iterator[Path]:
    yield from {*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")}
    for path in (ROOT / "src").rglob("*"):
        if path.suffix in {".py", ".sql", ".lua", ".toml"} and STORIES not in path.parents:
            yield path


def long_lines(text: str) -> list[str]:
    """The lines over the width, outside code blocks, generated tables and URLs."""
    prose = _URL.sub("", _CODE.sub("", _GENERATED.sub("", text)))
    return [line for line in prose.splitlines() if len(line) > WIDTH]


@pytest.mark.parametrize("page", _pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_no_line_of_a_page_is_longer_than_110_characters(page: Path) -> None:
    assert long_lines(page.read_text(encoding="utf-8")) == []


def test_sentences_name_their_subject() -> None:
    found = {
        str(path.relative_to(ROOT))
        for path in _texts()
        if _NO_SUBJECT.search(path.read_text(encoding="utf-8"))
    }

    assert found - NOT_YET - FROZEN == set(), "say which worker, program, source or person it is"
    assert NOT_YET - found == set(), "take these files off the list"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("x" * 110, 0),
        ("x" * 111, 1),
        (f"| cell | {'x' * 110} |", 1),
        (f"see [the page](https://example.com/{'x' * 110})", 0),
        (f"```\n{'x' * 200}\n```\n", 0),
        (f"1. step\n\n   ```toml\n   {'x' * 200}\n   ```\n", 0),
        (f"    {'x' * 200}\n", 0),
        (f"    code\n\n{'x' * 200}\n", 1),
        (f"1. step\n    {'x' * 200}\n", 1),
        (f"<!-- bench:urls -->\n\n| {'x' * 200} |\n\n<!-- /bench:urls -->\n", 0),
        (f"<!-- bench:urls -->\n\n<!-- /bench:urls -->\n{'x' * 200}\n", 1),
        (f"```\ncode\n```\n\n{'x' * 200}\n\n```\ncode\n```\n", 1),
    ],
)
def test_long_lines_are_found_outside_code_tables_and_urls(text: str, count: int) -> None:
    assert len(long_lines(text)) == count
