"""Compile the scan: `python -m outrider.extract.native.build`, or `make native`.

Nothing is done where the library was already built from the same sources. Any C compiler will do;
`--compiler` names one, such as `"python -m ziglang cc"` where a machine has none.
"""

import argparse
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from outrider.extract.native.choice import load
from outrider.extract.native.sources import BUILT, SOURCE, source_hash
from outrider.extract.native.tables import tables

_FLAGS = ("-std=c11", "-O3", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror")
SANITIZERS = (
    "-g",
    "-O1",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-fno-omit-frame-pointer",
)
_COMPILERS = ("cc", "gcc", "clang")


class NoCompiler(Exception):
    """This machine has no C compiler."""


def compiler(named: str = "") -> Sequence[str]:
    """The command of a C compiler: the one that is named, or one of the machine."""
    if named:
        return shlex.split(named)
    found = next(filter(None, map(shutil.which, _COMPILERS)), None)
    if found is None:
        raise NoCompiler("there is no C compiler on this machine")
    return (found,)


def build(path: Path = BUILT, command: Sequence[str] = ()) -> None:
    """Compile the library into a file. Raises NoCompiler, or CalledProcessError with its words."""
    _compile(path, command or compiler(), ("-shared",), ())


def build_program(path: Path, main: Path, command: Sequence[str], flags: Sequence[str]) -> None:
    """Compile the library and a C file with `main` into a program."""
    _compile(path, command, flags, (main,))


def _compile(path: Path, command: Sequence[str], flags: Sequence[str], more: Sequence[Path]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        made = Path(folder) / path.name
        (Path(folder) / "tables.h").write_text(tables())
        define = f'-DOUTRIDER_SOURCE="{source_hash()}"'
        includes = (f"-I{folder}", f"-I{SOURCE}")
        sources = sorted(map(str, (*SOURCE.glob("*.c"), *more)))
        subprocess.run(
            [*command, *_FLAGS, *flags, define, *includes, "-o", str(made), *sources],
            check=True,
            capture_output=True,
            text=True,
        )
        made.replace(path)  # whole or not at all: a crawl may be loading it


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--compiler", default="", help="the command of a C compiler")
    parser.add_argument("--if-possible", action="store_true", help="without a compiler this is no failure")
    asked = parser.parse_args()
    if load(BUILT).library is not None:
        print(f"native: {BUILT} is up to date")
        return 0
    try:
        build(command=compiler(asked.compiler))
    except (NoCompiler, OSError) as error:
        print(f"native: no compiled scan, because {error}; pages are read in Python", file=sys.stderr)
    except subprocess.CalledProcessError as error:
        print(f"native: no compiled scan; the compiler says:\n{error.stderr}", file=sys.stderr)
    else:
        print(f"native: built {BUILT}")
        return 0
    return 0 if asked.if_possible else 1


if __name__ == "__main__":
    sys.exit(main())
