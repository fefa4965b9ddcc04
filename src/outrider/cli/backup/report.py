"""Puts backups into words."""

from datetime import UTC, datetime

from outrider.cli.output import console, plain, show, table
from outrider.services.operations.backups import (
    BackupLine,
    BackupList,
    FinishedBackup,
    RecoveryTest,
    VerifiedBackup,
)
from outrider.wording import brief, count, plural, size, span


def show_finished(done: FinishedBackup) -> None:
    made = done.backup
    told = f"Wrote and verified {made.name}: {_contents(made)} in {size(made.bytes)}, {span(done.took_s)}."
    console().print(plain(told))
    console().print(plain(str(made.file)))
    if done.removed:
        console().print(plain(f"Removed {plural(len(done.removed), 'old backup')}."))


def show_backups(found: BackupList) -> None:
    if not found.items:
        console().print(plain(f"There is no backup in {found.folder} yet. `outrider backup` writes one."))
        return
    now = datetime.now(UTC)
    rows = [
        (
            each.name,
            brief((now - each.created_at).total_seconds()),
            size(each.bytes),
            count(each.urls),
            count(each.pages),
            _state(each),
        )
        for each in found.items
    ]
    columns = ("backup", "age", "size", "URLs", "pages", "state")
    show(table(columns, rows, right=("age", "size", "URLs", "pages"), whole=("backup",)))
    console().print(plain(f"In {found.folder}. `outrider restore NAME` replaces the database by one."))


def show_verified(found: VerifiedBackup) -> None:
    if found.problem is not None:
        console().print(plain(f"{found.name} is damaged: {found.problem}."))
        console().print(plain("Keep an older one, and write a new one: `outrider backup`."))
        return
    console().print(plain(f"{found.name} is good: all of it was read in {span(found.took_s)}."))


def show_recovery(found: RecoveryTest) -> None:
    told = (
        f"{found.name} can be restored: {plural(found.rows, 'row')} of {plural(found.tables, 'table')} were "
        f"restored into a scratch database and compared in {span(found.took_s)}."
    )
    console().print(plain(told))
    contents = f"It has {plural(found.urls, 'URL')} and {plural(found.pages, 'page')}."
    if found.migrations:
        contents += f" {plural(found.migrations, 'migration')} brought it to the schema of this version."
    console().print(plain(contents))


def _contents(made: BackupLine) -> str:
    return f"{plural(made.urls, 'URL')} and {plural(made.pages, 'page')}"


def _state(line: BackupLine) -> str:
    if line.problem is not None:
        return f"damaged: {line.problem}"
    return "not verified" if line.verified_at is None else "verified"
