"""Which Python of this machine `.venv` is made with: `python3`, unless another is better built.

A candidate is asked by running this file with it: it prints what it knows about itself, as JSON.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

OLDEST = (3, 11)
NEWEST = (3, 14)  # the locks have wheels for it; whoever wants a newer one has it as python3, or says so
NAMES = [f"python3.{minor}" for minor in range(NEWEST[1], OLDEST[1] - 1, -1)] + ["python3"]
SYSTEM_PREFIX = "/usr"
PATIENCE = 30.0  # seconds; one that takes longer is passed over
# What a Python may lack that was built without the libraries for it, or was packaged in parts.
NEEDED = ("multiprocessing.resource_tracker", "resource", "ssl", "xml.parsers.expat", "zlib")


class Python(NamedTuple):
    """What a Python says about itself."""

    executable: str
    version: tuple[int, ...]
    prefix: str  # where it is installed; a virtual environment names the one it was made with
    build: str  # "cpython", with the letters of a debug or a free-threaded one
    optimised: bool
    missing: tuple[str, ...]

    def is_same_as(self, other: Python) -> bool:
        """Whether the two are one installation, by whatever name."""
        return (self.prefix, self.version, self.build) == (other.prefix, other.version, other.build)

    def can_run_outrider(self) -> bool:
        return self.version[:2] >= OLDEST and self.build == "cpython" and not self.missing


def choose(default: Python, others: Iterable[Python]) -> Python:
    """`default` if it is optimised, or else the newest that is; the others are looked at only if need be."""
    if default.optimised and default.can_run_outrider():
        return default
    better = [each for each in others if each.optimised and each.can_run_outrider()]
    known = [each for each in better if each.version[:2] <= NEWEST]
    return max(known, key=lambda each: each.version, default=default)


def on_this_machine(path: str) -> Iterator[Python]:
    """Every Python that is found by its name in the folders of PATH and in /usr/bin, and that answers."""
    asked = set()
    for folder in [*path.split(os.pathsep), f"{SYSTEM_PREFIX}/bin"]:
        for program in (Path(folder) / name for name in NAMES):
            if program.is_absolute() and os.access(program, os.X_OK) and program.resolve() not in asked:
                asked.add(program.resolve())
                answer = ask(program)
                if answer is not None:
                    yield answer


def ask(program: Path) -> Python | None:
    """What it says about itself, or None if it does not run, as the names that pyenv keeps for no version."""
    try:
        answer = subprocess.run(
            [program, "-I", __file__],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            check=True,
        )
        said = json.loads(answer.stdout)
        return Python(**{**said, "version": tuple(said["version"]), "missing": tuple(said["missing"])})
    except (OSError, subprocess.SubprocessError, ValueError, TypeError, KeyError):
        return None


def describe() -> Python:
    """This very Python."""
    return Python(
        executable=sys.executable,
        version=tuple(sys.version_info[:3]),
        prefix=sys.base_prefix,
        build=sys.implementation.name + sys.abiflags,
        optimised=is_optimised(sysconfig.get_config_var("CONFIG_ARGS"), sys.base_prefix),
        missing=tuple(name for name in NEEDED if not _can_be_imported(name)),
    )


def is_optimised(built_with: str | None, prefix: str) -> bool:
    """Whether it was built with profiles, as `outrider doctor` sees it: systems do so, and may not tell."""
    return built_with is None or prefix == SYSTEM_PREFIX or "--enable-optimizations" in built_with


def _can_be_imported(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


if __name__ == "__main__":
    print(json.dumps(describe()._asdict()))
