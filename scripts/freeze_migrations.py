"""Adds the checksum of every new migration file to the list of frozen ones; never changes a line of it.

A migration that has run on a database must not change: `outrider migrate` refuses a database that was built
with another text. So the list only grows.
"""

import sys
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "src" / "outrider" / "db" / "migrations"
FROZEN = ROOT / "tests" / "contracts" / "frozen_migrations.txt"


def checksums(folder: Path) -> dict[str, str]:
    """The SHA-256 of every migration file, by its name."""
    return {file.name: sha256(file.read_bytes()).hexdigest() for file in sorted(folder.glob("*.sql"))}


def read_frozen(file: Path) -> dict[str, str]:
    """The list as `sha256sum` writes it: the checksum, two spaces, the name."""
    pairs = (line.split("  ", 1) for line in file.read_text(encoding="utf-8").splitlines())
    return {name: checksum for checksum, name in pairs}


def problems(present: dict[str, str], frozen: dict[str, str]) -> list[str]:
    """One sentence for each file that differs from the list, with what to do about it."""
    found = []
    for name in sorted(present.keys() | frozen.keys()):
        if name not in frozen:
            found.append(f"{name} is new: run `make freeze` and commit the line that it adds.")
        elif name not in present:
            found.append(f"{name} is gone: restore it (`git checkout {_path(name)}`).")
        elif present[name] != frozen[name]:
            found.append(
                f"{name} has changed, and databases were built with the old text: restore it "
                f"(`git checkout {_path(name)}`) and write a new migration."
            )
    return found


def freeze(folder: Path, file: Path) -> list[str]:
    """Add the lines of new files; returns their names."""
    present, frozen = checksums(folder), read_frozen(file) if file.exists() else {}
    added = sorted(present.keys() - frozen.keys())
    lines = sorted({**present, **frozen}.items())
    file.write_text("".join(f"{checksum}  {name}\n" for name, checksum in lines), encoding="utf-8")
    return added


def _path(name: str) -> str:
    return (FOLDER / name).relative_to(ROOT).as_posix()


def main() -> None:
    added = freeze(FOLDER, FROZEN)
    sys.stdout.write("".join(f"{name} is frozen now\n" for name in added) or "no migration is new\n")
    if left := problems(checksums(FOLDER), read_frozen(FROZEN)):
        sys.exit("\n".join(left))


if __name__ == "__main__":
    main()
