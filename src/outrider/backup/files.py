"""The folder of backups: `NAME.dump` with its manifest `NAME.json`, readable only by the service account."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from outrider.backup.model import Manifest
from outrider.backup.policy import KeptBackup, name_of, to_remove
from outrider.db.locks import try_lock
from outrider.errors import InvalidInput, Misconfigured, NotFound

DUMP, MANIFEST, PARTIAL = ".dump", ".json", ".partial"
_NAME = re.compile(r"outrider-\d{8}T\d{6}Z(?:-\d+)?")
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class StoredBackup:
    """A backup in a folder. Without a manifest its rows cannot be compared."""

    dump: Path
    manifest: Manifest | None

    @property
    def name(self) -> str:
        return self.dump.name.removesuffix(DUMP)


class BackupFolder:
    """The backups of one database. Nothing in the folder looks like a backup before it is complete."""

    def __init__(self, folder: Path) -> None:
        self.path = folder

    def backups(self) -> list[StoredBackup]:
        """Every complete backup, newest first. A damaged manifest counts as none."""
        found = []
        for file in self._files(MANIFEST):
            dump = file.with_suffix(DUMP)
            if dump.is_file() and (manifest := _read(file)) is not None:
                found.append((manifest.created_at, StoredBackup(dump, manifest)))
        return [backup for _, backup in sorted(found, key=lambda each: each[0], reverse=True)]

    def find(self, name: str | None) -> StoredBackup:
        """The backup with this name, or the newest one; raises NotFound."""
        backups = self.backups()
        if name is None and backups:
            return backups[0]
        for each in backups:
            if name is not None and each.name == name.removesuffix(DUMP).removesuffix(MANIFEST):
                return each
        if not backups:
            raise NotFound(f"there is no backup in {self.path} yet: `outrider backup` writes one")
        raise NotFound(f"there is no backup {name} in {self.path}: `outrider backup list` shows them")

    def prepare(self) -> None:
        """Create the folder, or close it to others; raises Misconfigured if that is not possible."""
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.path.chmod(0o700)
        except OSError as error:
            raise Misconfigured(
                f"backups cannot be kept in {self.path} ({error.strerror}): choose another folder with "
                "OUTRIDER_BACKUP_DIR"
            ) from error
        self._remove_leftovers()

    @contextmanager
    def new(self, created_at: datetime) -> Iterator["NewBackup"]:
        """A dump to write. Unless it is committed, nothing of it stays."""
        taken = {file.name.partition(".")[0] for file in self.path.iterdir()}
        partial = self.path / f"{name_of(created_at, taken)}{DUMP}{PARTIAL}"
        descriptor = os.open(partial, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try_lock(descriptor)  # the kernel releases it if this process is killed
        with os.fdopen(descriptor, "wb") as file:
            try:
                yield NewBackup(self.path, partial, file)
            finally:
                partial.unlink(missing_ok=True)

    def write_verdict(self, backup: StoredBackup, at: datetime, problem: str | None) -> None:
        """Record in the manifest when a backup was verified, and what is wrong with it."""
        if backup.manifest is not None:
            manifest = replace(backup.manifest, verified_at=at, problem=problem)
            _write(backup.dump.with_suffix(MANIFEST), manifest.as_text())

    def prune(self, now: datetime, kept_days: int) -> list[str]:
        """Remove backups that are too old; returns their names."""
        kept = [
            KeptBackup(each.name, each.manifest.created_at, each.manifest.is_good)
            for each in self.backups()
            if each.manifest is not None
        ]
        removed = to_remove(kept, now, kept_days)
        for name in removed:
            # The manifest last: a dump without one would stay for ever.
            (self.path / f"{name}{DUMP}").unlink(missing_ok=True)
            (self.path / f"{name}{MANIFEST}").unlink(missing_ok=True)
        return removed

    def _remove_leftovers(self) -> None:
        """Remove the unfinished dumps of processes that were killed."""
        for file in self._files(PARTIAL):
            with suppress(FileNotFoundError), file.open("rb") as unfinished:
                if try_lock(unfinished.fileno()):
                    file.unlink(missing_ok=True)

    def _files(self, suffix: str) -> Iterator[Path]:
        """Files with a name of ours and this suffix."""
        try:
            files = sorted(self.path.iterdir())
        except FileNotFoundError:
            return
        except OSError as error:
            raise Misconfigured(
                f"the backups in {self.path} cannot be read ({error.strerror}): run as the account that "
                "writes them, or choose another folder with OUTRIDER_BACKUP_DIR"
            ) from error
        for file in files:
            if file.name.endswith(suffix) and _NAME.fullmatch(file.name.partition(".")[0]):
                yield file


class NewBackup:
    """A dump that is being written under a name that no backup has."""

    def __init__(self, folder: Path, partial: Path, file: BinaryIO) -> None:
        self._folder = folder
        self._file = file
        self._sum = sha256()
        self.partial = partial
        self.bytes = 0

    def write(self, piece: bytes) -> None:
        self._file.write(piece)
        self._sum.update(piece)
        self.bytes += len(piece)

    def sync(self) -> str:
        """Bring the dump to the disk; returns its checksum."""
        self._file.flush()
        os.fsync(self._file.fileno())
        return self._sum.hexdigest()

    def commit(self, manifest: Manifest) -> StoredBackup:
        """Give the dump its name, the manifest first: a manifest without a dump is no backup."""
        dump = self.partial.with_name(self.partial.name.removesuffix(PARTIAL))
        _write(dump.with_suffix(MANIFEST), manifest.as_text())
        self.partial.rename(dump)
        _sync(self._folder)
        return StoredBackup(dump, manifest)


def backup_of_file(file: Path) -> StoredBackup:
    """A dump anywhere, with the manifest beside it if there is one; raises NotFound or InvalidInput."""
    dump = file.expanduser().absolute()
    if dump.suffix == MANIFEST:
        dump = dump.with_suffix(DUMP)
    if not dump.is_file():
        raise NotFound(f"there is no file {dump}")
    manifest = dump.with_suffix(MANIFEST)
    if not manifest.exists():
        return StoredBackup(dump, None)
    if (read := _read(manifest)) is None:
        raise InvalidInput(
            f"{manifest} is damaged or of a newer Outrider: copy it again, or move it away to restore "
            "without comparing checksum and rows"
        )
    return StoredBackup(dump, read)


def checksum_of(file: Path) -> str:
    """The SHA-256 of a file."""
    found = sha256()
    with file.open("rb") as opened:
        while piece := opened.read(_CHUNK):
            found.update(piece)
    return found.hexdigest()


def _read(file: Path) -> Manifest | None:
    try:
        return Manifest.parse(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _write(file: Path, text: str) -> None:
    """Write a whole file or none of it."""
    partial = file.with_name(f"{file.name}{PARTIAL}")
    partial.unlink(missing_ok=True)
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as written:
        written.write(text)
        written.flush()
        os.fsync(written.fileno())
    partial.rename(file)
    _sync(file.parent)


def _sync(folder: Path) -> None:
    """Make new names in a folder survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
