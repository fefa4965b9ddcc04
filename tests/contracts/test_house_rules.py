"""What no file of this repository may contain, and how large one may grow."""

import os
import re
import statistics
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
THIS_FILE = Path(__file__).resolve()

# Spelled in pieces, so that this file does not break its own rules.
REGISTRY = re.compile(r"\b(?:files\.)?py" + r"pi\.org|python" + r"hosted\.org|registry\.npm" + r"js\.org")
SOMEBODYS_PLACE = re.compile(r"/(?:root|home/[a-z]+|Users/[A-Za-z]+|work/(?:main|shared))/")
LEFTOVER = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X)\b")

WRITERS_TALK = re.compile(r"(?i)co-author" + r"ed-by|language mo" + r"del|coding ag" + r"ent|chat" + r"bot")


@cache
def texts() -> dict[Path, str]:
    """Every text file that is, or would be, under version control. A machine to test on may have no git."""
    listed = (ROOT / ".gitignore").read_text().splitlines()
    ignored = {".git", *(line.strip("/\n").rpartition("/")[2] for line in listed)}
    found = {}
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in ignored and not name.endswith(".egg-info")]
        for path in (Path(folder) / name for name in names if name != ".git"):  # a file in a worktree
            if b"\0" not in (content := path.read_bytes()):
                found[path] = content.decode("utf-8", "replace")
    return found


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        pytest.param(REGISTRY, "packages are named, never where they come from", id="no registry address"),
        pytest.param(SOMEBODYS_PLACE, "a path of one machine helps nobody else", id="no path of one machine"),
        pytest.param(WRITERS_TALK, "speak of the crawler, not of who wrote it", id="no talk of writers"),
        pytest.param(LEFTOVER, "finish it, or open an issue", id="no leftover"),
    ],
)
def test_nothing_that_does_not_belong(pattern, why):
    hits = [
        f"{path.relative_to(ROOT)}:{number}: {found[0]}"
        for path, text in texts().items()
        if path != THIS_FILE
        for number, line in enumerate(text.splitlines(), start=1)
        if (found := pattern.search(line))
    ]

    assert hits == [], why


def test_no_lock_names_an_index():
    for lock in (ROOT / "requirements").glob("*.lock"):
        assert "://" not in lock.read_text(), lock.name
    assert not (ROOT / "uv.lock").exists()


def test_every_locked_package_has_hashes():
    for lock in (ROOT / "requirements").glob("*.lock"):
        for block in re.split(r"\n(?=\S)", lock.read_text().strip()):
            assert re.match(r"[a-z0-9._-]+==\S+( ;[^\\]+)? \\\n\s+--hash=sha256:", block), block[:80]


def test_what_a_crawl_runs_on_is_what_the_tests_ran_on():
    def pins(name: str) -> set[str]:
        return set(re.findall(r"^\S+==\S+", (ROOT / "requirements" / name).read_text(), re.MULTILINE))

    assert pins("runtime.lock") <= pins("dev.lock")


def test_modules_stay_small_and_open_with_a_sentence():
    modules = {path: text for path, text in texts().items() if path.suffix == ".py" and "src" in path.parts}
    silent = [str(path.relative_to(ROOT)) for path, text in modules.items() if not re.match(r'r?"""\S', text)]
    lengths = {path: len(text.splitlines()) for path, text in modules.items()}
    long = {str(path.relative_to(ROOT)): length for path, length in lengths.items() if length > 400}

    assert silent == []
    assert long == {}
    assert statistics.median(lengths.values()) <= 160
