"""docs/requirements.md names, for every requirement it lists, tests that exist, or says why it is not met."""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "requirements.md"

ROW = re.compile(r"^\| ([A-Z]{2,3}-\d{2,3}) \| (.+?) \| (.+) \|$")
TEST = re.compile(r"`([^`]+)`")


DIFFERENT = "## Deliberately different"


def rows() -> list[tuple[str, str]]:
    """Each requirement's ID and the cell that names its tests."""
    return [(row[1], row[3]) for row in _rows_in(PAGE.read_text().partition(DIFFERENT)[0])]


def different() -> list[tuple[str, str]]:
    """Each requirement that is met otherwise, or not at all, and the cell that says why."""
    return [(row[1], row[3]) for row in _rows_in(PAGE.read_text().partition(DIFFERENT)[2])]


def _rows_in(text: str) -> list[re.Match[str]]:
    return [row for row in map(ROW.match, text.splitlines()) if row]


@cache
def functions_in(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text())
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, kinds))


def test_every_row_is_one_we_can_read():
    lines = [line for line in PAGE.read_text().splitlines() if re.match(r"^\| [A-Z]{2,3}-", line)]

    assert [line for line in lines if not ROW.match(line)] == []


def test_no_requirement_is_listed_twice():
    ids = [requirement for requirement, _ in rows() + different()]

    assert sorted(ids) == sorted(set(ids))


def test_what_is_deliberately_different_says_why():
    assert [requirement for requirement, why in different() if len(why.split()) < 8] == []


def test_tests_that_show_a_difference_exist():
    named = [name for _, why in different() for name in TEST.findall(why) if name.startswith("tests/")]

    assert [name for name in named if not _exists(name)] == []


def test_every_requirement_names_a_test_that_exists():
    missing = []
    for requirement, cell in rows():
        named = TEST.findall(cell)
        if not named:
            missing.append(f"{requirement}: names no test")
        missing += [f"{requirement}: there is no {name}" for name in named if not _exists(name)]

    assert missing == []


def _exists(name: str) -> bool:
    path, _, function = name.partition("::")
    if not (ROOT / path).is_file():
        return False
    return not function or function.split("::")[-1] in functions_in(ROOT / path)
