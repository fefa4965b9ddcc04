"""Reading the catalogue: every mistake in it is told with its place."""

from pathlib import Path

import pytest
from mutants.load import chosen, load
from mutants.model import Stale

ENTRY = """
[[mutant]]
requirement = "CLM-11"
breaks = "Sums are wrong."
file = "src/outrider/hosts/sums.py"
find = "a + b"
replace = "a - b"
tests = ["tests/test_sums.py::test_sums"]
"""


def _load(folder: Path, text: str):
    (folder / "hosts.toml").write_text(text)
    return load(folder)


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ('find = "a + b"', "", "hosts.toml 1: no find"),
        ('find = "a + b"', "find = 7", "hosts.toml 1: no find"),
        ("find", "fnd", "hosts.toml 1: unknown fnd"),
        ('["tests/test_sums.py::test_sums"]', "[]", "`tests` is a list of at least one"),
        ("src/outrider/hosts", "tests", "tests/sums.py is not below src/outrider"),
        ("[[mutant]]", "[[mutants]]", r"only \[\[mutant\]\] tables belong there"),
        ('"a - b"', "a - b", "hosts.toml: "),
    ],
)
def test_a_mistake_is_reported_with_its_place(tmp_path: Path, before: str, after: str, problem: str):
    with pytest.raises(Stale, match=problem):
        _load(tmp_path, ENTRY.replace(before, after, 1))


@pytest.mark.parametrize(
    ("only", "found"),
    [
        ([], 2),
        (["CLM-11"], 2),
        (["CLM-1"], 0),
        (["hosts"], 1),
        (["src/outrider/crawl/sums.py"], 1),
        (["hosts", "crawl"], 2),
    ],
)
def test_mutants_are_chosen_by_requirement_room_or_file(tmp_path: Path, only: list[str], found: int):
    mutants = _load(tmp_path, ENTRY + ENTRY.replace("/hosts/", "/crawl/"))

    assert len(chosen(mutants, only)) == found
