"""Use cases know nothing of terminals, and the commands that call them touch no table."""

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import asyncpg
import pytest

import outrider

SOURCE = Path(outrider.__file__).parent
USE_CASES = sorted((SOURCE / "services").rglob("*.py"))
INFRASTRUCTURE = {
    "cli/database.py": "opens the database of the settings",
    "cli/use_case.py": "gives a use case its connection",
    "cli/migrate.py": "brings the schema up or down, before a use case could run",
}
COMMANDS = [
    file
    for file in sorted((SOURCE / "cli").rglob("*.py"))
    if str(file.relative_to(SOURCE)) not in INFRASTRUCTURE
]
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


@pytest.mark.parametrize("file", COMMANDS, ids=_named)
def test_a_command_gives_its_connection_only_to_use_cases(file: Path):
    below = [
        name
        for name in _imports(ast.parse(file.read_text()))
        if name.startswith("outrider.") and not name.startswith(("outrider.cli.", "outrider.services."))
    ]

    assert [name for name in below if _takes_a_connection(name)] == []


def test_every_exception_is_needed():
    for name in INFRASTRUCTURE:
        imported = list(_imports(ast.parse((SOURCE / name).read_text())))
        assert any(each.startswith("asyncpg") for each in imported), f"{name} is no exception any more"


def _takes_a_connection(name: str) -> bool:
    """Whether an imported function has a parameter for a connection of the database."""
    module, _, attribute = name.rpartition(".")
    try:
        imported = getattr(import_module(module), attribute, None)
    except ModuleNotFoundError:  # `import outrider.x`: a module, not a function
        return False
    if not inspect.isfunction(imported):
        return False
    return any(
        parameter.annotation in (asyncpg.Connection, "asyncpg.Connection")
        for parameter in inspect.signature(imported).parameters.values()
    )


def test_every_command_is_looked_at():
    assert USE_CASES
    assert len(COMMANDS) > 80
    assert _takes_a_connection("outrider.services.urls.lists.list_urls")
