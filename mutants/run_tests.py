"""Starts pytest on a scratch copy, with a time limit, and reads what it came to."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mutants.scratch import environment

_INSIDE = Path(__file__).with_name("inside.py")
_OPTIONS = ("-p", "no:cacheprovider", "--no-header", "--tb=short", "--color=no")
_GRACE_S = 10.0  # pytest stops its servers in this time when it is interrupted
# A worker may log these and go on: the test then fails for another reason.
_NO_SQL = re.compile(
    r"asyncpg\.exceptions\.((?:PostgresSyntax|UndefinedColumn|UndefinedFunction|AmbiguousColumn|"
    r"DatatypeMismatch|IndeterminateDatatype)Error: .*)"
)


@dataclass(frozen=True, slots=True)
class Ran:
    """What one run of pytest came to."""

    exit_code: int | None = None  # pytest's own; None where it did not come to its end
    outcomes: Mapping[str, str] = field(default_factory=dict)  # by test
    took_s: Mapping[str, float] = field(default_factory=dict)  # by test
    broken: str = ""  # why the mutant is no program
    failure: str = ""  # the first failure, in one line
    timed_out: bool = False
    said: str = ""


class Runner:
    """Runs tests on one scratch copy, one run at a time; another thread may stop it."""

    def __init__(self, tree: Path) -> None:
        self.tree = tree
        self._running: subprocess.Popen[bytes] | None = None
        self._stopped = False

    def run(self, tests: Sequence[str], limit_s: float, *options: str, module: str | None = None) -> Ran:
        report, output = self.tree.with_suffix(".json"), self.tree.with_suffix(".output")
        report.unlink(missing_ok=True)
        command = [sys.executable, "-P", str(_INSIDE), str(report), str(self.tree), module or ""]
        with output.open("wb") as file:
            self._running = subprocess.Popen(
                [*command, *_OPTIONS, *options, *tests],
                cwd=self.tree,
                env=environment(self.tree),
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        if self._stopped:
            _end(self._running)
        timed_out = not _ended(self._running, limit_s)
        if timed_out:
            _end(self._running)
        said = output.read_text(errors="replace")
        found = json.loads(report.read_text()) if report.exists() and not timed_out else {}
        no_sql = _NO_SQL.search(said)
        return Ran(
            exit_code=found.get("exit_code"),
            outcomes=found.get("outcomes", {}),
            took_s=found.get("took_s", {}),
            broken=next(iter(found.get("broken", [])), no_sql[1] if no_sql else ""),
            failure=found.get("failure", ""),
            timed_out=timed_out,
            said=said,
        )

    def stop(self) -> None:
        """End the run under way, and begin no other."""
        self._stopped = True
        if self._running is not None:
            _end(self._running)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Interrupt a run, so that it stops its servers; kill it where that takes too long."""
    for number in (signal.SIGINT, signal.SIGKILL):
        if process.poll() is not None:
            return
        os.killpg(process.pid, number)
        _ended(process, _GRACE_S)


def _ended(process: subprocess.Popen[bytes], patience_s: float) -> bool:
    try:
        process.wait(patience_s)
    except subprocess.TimeoutExpired:
        return False
    return True
