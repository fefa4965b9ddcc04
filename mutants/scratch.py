"""Copies of the tree that mutants are applied to. The checkout itself is never edited."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mutants.model import Mutant


def copy_tree(root: Path, target: Path) -> None:
    """All that is, or would be, under version control, with its package compiled.

    The compiled files are checked by the hash of their source: by the time of its last change, Python would
    take two mutations of the same length within one second for the same file.
    """
    ignored = [line.strip("/") for line in (root / ".gitignore").read_text().splitlines() if line]
    shutil.copytree(root, target, ignore=shutil.ignore_patterns(".git", *ignored))
    compile_all = [sys.executable, "-m", "compileall", "-qq", "--invalidation-mode", "checked-hash", "src"]
    subprocess.run(compile_all, cwd=target, env=environment(target), check=False)


def environment(tree: Path) -> dict[str, str]:
    """For programs that import the copy: it comes before the checkout that is installed.

    Nothing is handed on of a pytest that runs us, or of an environment that keeps compiled files elsewhere.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "PYTHON"))}
    return kept | {"PYTHONPATH": str(tree / "src")}


@contextmanager
def applied(mutant: Mutant, tree: Path) -> Iterator[None]:
    """The tree with the mutant in it, and without it afterwards."""
    path = tree / mutant.file
    text = path.read_text()
    path.write_text(mutant.apply(text))
    try:
        yield
    finally:
        path.write_text(text)
