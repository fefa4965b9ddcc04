"""Imports point down, run in no circle, and stand where they are: the few exceptions are listed here."""

import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"

# Modules that may be imported only for their types, and why.
FOR_TYPES = {
    "aiohttp": "takes a tenth of a second to import, and only commands on a server elsewhere need it",
    "_typeshed": "exists only for type checkers",
    "rich": "takes a tenth of a second to import",
    "pyarrow": "is optional",
    "outrider.crawl.shared_seen": "imports redis, which is slow and seldom used",
    "outrider.workers.redis_heartbeat": "imports redis, which is slow and seldom used",
    "outrider.jobs.adaptive_mirror": "imports redis, which is slow and seldom used",
    "charset_normalizer": "is slow to import, and nearly all pages state their encoding",
    "outrider.jobs.follow": "imports the store of jobs, which a worker of a crawl does not need",
    "outrider.jobs.scheduler": "imports the store of jobs, which a worker of a crawl does not need",
    "outrider.jobs.slots": "imports numpy, which is slow, and most commands place no job",
    "outrider.services.runs.logs": "`outrider run cancel` has the same menu and must start fast",
}


def modules() -> dict[str, ast.Module]:
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = ast.parse(path.read_text())
    return found


def imports_of(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, str]]:
    """Module and name of each import outside functions; a conditional import counts."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, alias.name) for alias in node.names)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from imports_of(ast.iter_child_nodes(node))


def for_types(tree: ast.Module) -> Iterator[str]:
    """Modules that are imported under `if TYPE_CHECKING:`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from (module for module, _ in imports_of(node.body))


def test_imports_point_down(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)

    failed = lint_imports(config_filename="pyproject.toml", cache_dir=None)

    assert not failed, capsys.readouterr().out


def test_no_modules_import_each_other_in_a_circle():
    """An import for types alone counts: a circle of types is a circle of readers."""
    trees = modules()
    graph: dict[str, set[str]] = {}
    for name, tree in trees.items():
        meant = (
            f"{module}.{part}" if f"{module}.{part}" in trees else module
            for module, part in imports_of(tree.body)
        )
        graph[name] = {module for module in meant if module in trees and module != name}
    circle: list[str] = []
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle = error.args[1]

    assert circle == []


def test_only_what_is_slow_or_optional_is_imported_for_its_types_alone():
    hidden = {
        f"{name}: {module}"
        for name, tree in modules().items()
        for module in for_types(tree)
        if module not in FOR_TYPES
        and module.partition(".")[0] not in FOR_TYPES
        and not module.startswith(f"{name}.")  # a package imports its own names lazily
    }

    assert hidden == set()


def test_every_listed_exception_is_in_use():
    used = {module for tree in modules().values() for module in for_types(tree)}

    assert {
        each for each in FOR_TYPES if not any(f"{module}.".startswith(f"{each}.") for module in used)
    } == set()


# What `outrider crawl` may not import, because it is slow: the command, and the worker beside it.
SELDOM_NEEDED = {
    "aiohttp",
    "argon2",
    "charset_normalizer",
    "fastapi",
    "jinja2",
    "jwt",
    "numpy",
    "obstore",
    "prometheus_client",
    "pyarrow",
    "pydantic",
    "python_socks",
    "redis",
    "regex",
    "starlette",
    "uvicorn",
}
PROCESSES = {
    "command": (
        "outrider.cli.main, outrider.cli.crawl.command, outrider.cli.crawl.run, outrider.cli.crawl.output",
        SELDOM_NEEDED | {"selectolax", "outrider.extract"},
    ),
    "worker": (
        "outrider.workers.process",
        SELDOM_NEEDED
        | {"rich", "typer", "outrider.cli", "outrider.extract.page", "outrider.feeds.feed"}
        | {"outrider.jobs.store", "outrider.links.verdict"},
    ),
}


@pytest.mark.parametrize("process", PROCESSES)
def test_a_crawl_imports_nothing_that_it_does_not_need(process):
    modules, forbidden = PROCESSES[process]
    code = f"import sys, {modules}; print(*sys.modules, sep='\\n')"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert forbidden & set(loaded.stdout.splitlines()) == set()
