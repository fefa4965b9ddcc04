"""`outrider backup`: write a backup now, list backups, and verify one."""

from typing import Annotated

import typer

from outrider.cli.backup.progress import shown_progress
from outrider.cli.backup.report import show_backups, show_finished, show_recovery, show_verified
from outrider.cli.commands import submenu
from outrider.cli.database import has_database, need_direct_connection, reach_database, reach_server
from outrider.cli.operator import operator
from outrider.cli.options import Config, Data, Json, Quiet
from outrider.cli.output import FAILED, print_json
from outrider.cli.running import load_settings, run
from outrider.cli.use_case import call
from outrider.services.as_json import as_json
from outrider.services.operations.backups import (
    FinishedBackup,
    RecoveryTest,
    check_disk,
    check_schema,
    find_backup,
    list_backups,
    record_failed_verification,
    run_recovery_test,
    verify_backup,
    write_backup_now,
)
from outrider.settings import Loaded

Named = Annotated[str | None, typer.Argument(metavar="NAME|FILE", show_default=False)]


def write(
    context: typer.Context, quiet: Quiet = False, json: Json = False, data: Data = None, config: Config = None
) -> None:
    """Write, list and verify backups of the database.

    Without a subcommand it writes a backup now and verifies it. Crawls may run meanwhile. It is written to
    the folder `backups` in the data directory, or to OUTRIDER_BACKUP_DIR, and removed after
    OUTRIDER_BACKUP_DAYS. A database of an older version is backed up as it is, and not migrated.
    """
    if context.invoked_subcommand is not None:
        return
    loaded = load_settings(config, data=data)
    need_direct_connection(loaded, "backup")
    done = run(_write(loaded))
    if json:
        print_json(as_json(done))
    elif not quiet:
        show_finished(done)


def list_(json: Json = False, data: Data = None, config: Config = None) -> None:
    """List the backups of this machine, newest first."""
    found = list_backups(load_settings(config, data=data).settings)
    print_json(as_json(found)) if json else show_backups(found)


def verify(
    named: Named = None,
    restore: Annotated[
        bool, typer.Option("--restore", help="Also restore it into a scratch database, and compare.")
    ] = False,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Verify a backup, the newest one if none is named.

    The checksum is compared, and the whole dump is read. With --restore it is also restored into a scratch
    database on the same server, whose rows are compared with those of the backup, and which is dropped
    afterwards: the recovery test.
    """
    loaded = load_settings(config, data=data)
    if restore:
        need_direct_connection(loaded, "backup verify --restore")
    backup = find_backup(loaded.settings, named)
    if restore:
        check_schema(backup)
        check_disk(backup, loaded.settings)
    verified = run(verify_backup(loaded.settings, backup))
    tested: RecoveryTest | None = None
    if verified.problem is None and restore:

        async def test() -> RecoveryTest:
            async with reach_server(loaded) as dsn, shown_progress() as progress:
                return await run_recovery_test(dsn, backup, progress)

        tested = run(test())
    elif (problem := verified.problem) is not None and has_database(loaded):
        who = f"{operator().principal.name} on the command line"
        call(loaded, lambda db: record_failed_verification(db, backup.name, problem, who))
    if json:
        print_json(as_json(verified) | {"recovery_test": as_json(tested)})
    else:
        show_verified(verified) if tested is None else show_recovery(tested)
    if verified.problem is not None:
        raise typer.Exit(FAILED)


async def _write(loaded: Loaded) -> FinishedBackup:
    async with (
        reach_database(loaded, may_create=False) as database,
        database.connection() as db,
        shown_progress() as progress,
    ):
        who = f"{operator().principal.name} on the command line"
        return await write_backup_now(db, database.dsn, loaded.settings, who, progress)


backup = submenu("backup", {"list": list_, "verify": verify}, alone=write)
