"""Runs pytest in the scratch copy and writes down what it came to. A program: nothing imports it.

    python -P inside.py REPORT TREE MODULE [pytest's arguments]

First MODULE, if any, is imported: a mutant that cannot be imported is broken, whatever the tests say.
"""

import importlib
import json
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from asyncpg.exceptions import (
    AmbiguousColumnError,
    DatatypeMismatchError,
    IndeterminateDatatypeError,
    PostgresSyntaxError,
    UndefinedColumnError,
    UndefinedFunctionError,
)

# These say that the mutated text is no program, not that it is a wrong one.
NO_PROGRAM = (
    SyntaxError,
    ImportError,
    NameError,
    AmbiguousColumnError,
    DatatypeMismatchError,
    IndeterminateDatatypeError,
    PostgresSyntaxError,
    UndefinedColumnError,
    UndefinedFunctionError,
)


class Record:
    """A plugin of pytest: each test's outcome and time, and failures that mean a broken mutant."""

    def __init__(self) -> None:
        self.outcomes: dict[str, str] = {}
        self.took_s: dict[str, float] = {}
        self.broken: list[str] = []
        self.failure = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        name = report.nodeid.partition("[")[0]
        self.took_s[name] = self.took_s.get(name, 0.0) + report.duration
        if report.outcome != "passed" or (report.when == "call" and name not in self.outcomes):
            self.outcomes[name] = report.outcome
        if report.failed and not self.failure:
            self.failure = f"{name.rpartition('::')[2]}: {report.longreprtext.strip().splitlines()[-1]}"[:300]

    def pytest_exception_interact(self, node: pytest.Item | pytest.Collector, call: Any) -> None:
        self.broken += [f"{type(error).__name__}: {error}"[:300] for error in _chain(call.excinfo.value)]


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error, what it came from and what it is made of, as far as it means a broken mutant."""
    while error is not None:
        if isinstance(error, NO_PROGRAM):
            yield error
        for part in getattr(error, "exceptions", ()):
            yield from _chain(part)
        error = error.__cause__ or error.__context__


def main() -> None:
    report, tree, module, *arguments = sys.argv[1:]
    package = find_spec("outrider")
    origin = Path(str(package and package.origin))
    if not origin.is_relative_to(Path(tree) / "src"):
        raise SystemExit(f"the tests would import {origin}, not the copy in {tree}")
    found: dict[str, Any] = {}
    try:
        if module:
            importlib.import_module(module)
    except BaseException as error:
        found["broken"] = [f"{module} cannot be imported: {type(error).__name__}: {error}"[:300]]
    else:
        record = Record()
        found["exit_code"] = int(pytest.main(arguments, plugins=[record]))
        found |= vars(record)
    Path(report).write_text(json.dumps(found))


if __name__ == "__main__":
    main()
