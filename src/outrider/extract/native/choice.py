"""Which scan this process uses: the compiled one where it was built and loads, else the one in Python."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

from outrider.errors import Misconfigured
from outrider.extract.native.library import Library
from outrider.extract.native.sources import BUILT, source_hash

# The values of OUTRIDER_SCAN; any other is the compiled scan where there is one.
NATIVE, PYTHON = "native", "python"

_ADVICE = "`make native` builds it"


class Loading(NamedTuple):
    """The library, or why there is none."""

    library: Library | None
    why: str


class _Chosen:
    """The choice of this process. Until one is made, it is the compiled scan where there is one."""

    library: Library | None = None
    is_made = False


def require_scan(choice: str) -> None:
    """Raises Misconfigured where the compiled scan is demanded and missing."""
    if choice == NATIVE and (found := load(BUILT)).library is None:
        raise Misconfigured(f"OUTRIDER_SCAN demands the compiled scan, but {found.why}; {_ADVICE}")


def choose_scan(choice: str) -> None:
    """Have this process use a scan. Raises Misconfigured where the compiled one is demanded and missing."""
    require_scan(choice)
    _Chosen.library = None if choice == PYTHON else load(BUILT).library
    _Chosen.is_made = True


def loaded() -> Library | None:
    """The library that this process uses; None for the scan in Python."""
    if not _Chosen.is_made:
        choose_scan("auto")
    return _Chosen.library


@cache
def load(path: Path) -> Loading:
    """The library in a file, if it is there, fits this machine and was built from the sources beside it."""
    if not path.exists():
        return Loading(None, "it was not built")
    try:
        library = Library(path)
    except OSError as error:
        return Loading(None, f"it does not load: {error}")
    if library.source != source_hash():
        return Loading(None, "it was built from other sources")
    return Loading(library, "")


def describe_scan(choice: str) -> tuple[str, str]:
    """Which scan runs under a choice, in words, and what to do where that could be better."""
    if choice == PYTHON:
        return "in Python, as OUTRIDER_SCAN says", ""
    found = load(BUILT)
    if found.library is not None:
        return f"compiled, {BUILT}", ""
    return (
        f"in Python: there is no compiled scan, because {found.why}",
        f"{_ADVICE}; a page costs less with it",
    )
