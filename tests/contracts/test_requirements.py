"""docs/requirements.md names, for every requirement it lists, tests that exist."""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "requirements.md"

ROW = re.compile(r"^\| ([A-Z]{3}-\d{2,3}) \| (.+?) \| (.+) \|$")
TEST = re.compile(r"`([^`]+)`")


def rows() -> list[tuple[str, str]]:
    """Each requirement's ID and the cell that names its tests."""
    found = (ROW.match(line) for line in PAGE.read_text().splitlines())
    return [(row[1], row[3]) for row in found if row]


@cache
def functions_in(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text())
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, kinds))


def test_every_row_is_one_we_can_read():
    lines = [line for line in PAGE.read_text().splitlines() if re.match(r"^\| [A-Z]{3}-", line)]

    assert [line for line in lines if not ROW.match(line)] == []


def test_no_requirement_is_listed_twice():
    ids = [requirement for requirement, _ in rows()]

    assert sorted(ids) == sorted(set(ids))


def test_every_requirement_names_a_test_that_exists():
    missing = []
    for requirement, cell in rows():
        named = TEST.findall(cell)
        if not named:
            missing.append(f"{requirement}: names no test")
        for name in named:
            path, _, function = name.partition("::")
            if not (ROOT / path).is_file():
                missing.append(f"{requirement}: there is no {path}")
            elif function and function.split("::")[-1] not in functions_in(ROOT / path):
                missing.append(f"{requirement}: {path} has no {function}")

    assert missing == []
