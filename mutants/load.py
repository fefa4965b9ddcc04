"""Reads the catalogue, and checks it against the tree without running anything."""

import ast
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from mutants.model import PACKAGE, Mutant, Stale

_TEXTS = ("requirement", "breaks", "file", "find", "replace")
_KNOWN = {*_TEXTS, "tests", "occurrence"}


def load(folder: Path) -> list[Mutant]:
    """Every mutant of every catalogue file, in their order. Raises `Stale` for a file that cannot be read."""
    return [mutant for path in sorted(folder.glob("*.toml")) for mutant in _read(path)]


def problem_of(mutant: Mutant, root: Path) -> str | None:
    """Why the mutant does not fit the tree at `root`; None where it does."""
    path = root / mutant.file
    if not path.is_file():
        return f"there is no {mutant.file}"
    try:
        mutant.apply(path.read_text())
    except Stale as problem:
        return str(problem)
    for test in mutant.tests:
        file, _, name = test.partition("::")
        if not name or not (root / file).is_file() or name not in tests_in(root / file):
            return f"there is no test {test}"
    return None


@cache
def tests_in(path: Path) -> frozenset[str]:
    """The names of a test file's functions."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(node.name for node in ast.parse(path.read_text()).body if isinstance(node, kinds))


def chosen(mutants: Sequence[Mutant], only: Sequence[str]) -> list[Mutant]:
    """The mutants of these requirements, files or rooms; all of them where nothing is named."""
    wanted = {*only}
    return [each for each in mutants if not only or wanted & {each.requirement, each.file, each.room}]


def _read(path: Path) -> list[Mutant]:
    try:
        entries = tomllib.loads(path.read_text())
    except tomllib.TOMLDecodeError as problem:
        raise Stale(f"{path.name}: {problem}") from problem
    if set(entries) - {"mutant"}:
        raise Stale(f"{path.name}: only [[mutant]] tables belong there")
    return [
        _mutant(entry, f"{path.name} {number}") for number, entry in enumerate(entries.get("mutant", []), 1)
    ]


def _mutant(entry: dict[str, object], listed_in: str) -> Mutant:
    tests, occurrence = entry.get("tests"), entry.get("occurrence")
    if unknown := set(entry) - _KNOWN:
        raise Stale(f"{listed_in}: unknown {', '.join(sorted(unknown))}")
    if missing := [name for name in _TEXTS if not isinstance(entry.get(name), str)]:
        raise Stale(f"{listed_in}: no {', '.join(missing)}")
    if not isinstance(tests, list) or not tests or not all(isinstance(test, str) for test in tests):
        raise Stale(f"{listed_in}: `tests` is a list of at least one `path::name`")
    if occurrence is not None and not isinstance(occurrence, int):
        raise Stale(f"{listed_in}: `occurrence` is a number")
    texts = {name: str(entry[name]) for name in _TEXTS}
    if not texts["file"].startswith(f"{PACKAGE}/"):
        raise Stale(f"{listed_in}: {texts['file']} is not below {PACKAGE}")
    return Mutant(**texts, tests=tuple(tests), occurrence=occurrence, listed_in=listed_in)
