"""Use cases know nothing of terminals, and the commands that call them touch no table."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import outrider

SOURCE = Path(outrider.__file__).parent
USE_CASES = sorted((SOURCE / "services").rglob("*.py"))
CALLING_USE_CASES = (
    *("urls", "hosts", "why", "retry", "clear", "add", "versions", "export", "stats", "discovered", "job"),
    *("rehash", "rebuild_visited", "crawl/findings", "crawl/output"),
)
COMMANDS = sorted(
    file
    for name in CALLING_USE_CASES
    for file in [SOURCE / "cli" / f"{name}.py", *(SOURCE / "cli" / name).glob("*.py")]
    if file.exists()
)
TERMINALS = ("outrider.cli", "rich", "typer", "sys")
STATEMENTS = {"execute", "executemany", "fetch", "fetchrow", "fetchval", "cursor", "transaction", "prepare"}


def _named(file: Path) -> str:
    return str(file.relative_to(SOURCE))


def _imports(tree: ast.AST) -> Iterator[str]:
    """Every module and every name that a module imports, also inside functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _calls(tree: ast.AST) -> Iterator[str]:
    """The name of every function or method that a module calls."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            yield node.func.id if isinstance(node.func, ast.Name) else node.func.attr


@pytest.mark.parametrize("file", USE_CASES, ids=_named)
def test_a_use_case_knows_no_terminal(file: Path):
    tree = ast.parse(file.read_text())
    imported = [
        name
        for name in _imports(tree)
        if any(name == terminal or name.startswith(f"{terminal}.") for terminal in TERMINALS)
    ]

    assert imported == []
    assert {"print", "input"}.isdisjoint(_calls(tree))


@pytest.mark.parametrize("file", COMMANDS, ids=_named)
def test_a_command_runs_no_statement_and_opens_no_store(file: Path):
    tree = ast.parse(file.read_text())
    stores = [name for name in _imports(tree) if name.endswith(("Store", ".Queries", ".Registry", "asyncpg"))]

    assert stores == []
    assert STATEMENTS.isdisjoint(_calls(tree))


def test_every_command_is_looked_at():
    assert USE_CASES
    assert len(COMMANDS) >= len(CALLING_USE_CASES)
