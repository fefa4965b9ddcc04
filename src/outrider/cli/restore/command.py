"""`outrider restore`: replace the database by a backup, or take that back."""

from typing import Annotated

import typer

from outrider.cli.backup.progress import shown_progress
from outrider.cli.database import need_direct_connection, reach_server
from outrider.cli.options import Config, Data, Json
from outrider.cli.output import print_json
from outrider.cli.restore.report import question, question_of_undo, show_dropped, show_restored
from outrider.cli.running import load_settings, run
from outrider.errors import InvalidInput
from outrider.services.as_json import as_json
from outrider.services.operations.backups import find_backup
from outrider.services.operations.restore import (
    RestoredDatabase,
    check_backup,
    drop_replaced,
    list_replaced,
    look_at_present,
    refuse_if_in_use,
    restore_backup,
    undo_restore,
)
from outrider.settings import Loaded


def restore(
    named: Annotated[
        str | None,
        typer.Argument(metavar="NAME|FILE", help="A backup of `outrider backup list`, or a dump anywhere."),
    ] = None,
    undo: Annotated[
        bool, typer.Option("--undo", help="Bring the database back that the last restore replaced.")
    ] = False,
    drop_replaced: Annotated[
        bool, typer.Option("--drop-replaced", help="Drop the databases that restores replaced.")
    ] = False,
    force: Annotated[
        bool,
        typer.Option("--force", help="Restore even if programs use the database, and end their sessions."),
    ] = False,
    keep_tokens: Annotated[
        bool,
        typer.Option(
            "--keep-tokens", help="Where nothing is replaced: keep API tokens and keys of sites valid."
        ),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Skip the confirmation.")] = False,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Replace the database by a backup.

    Stop all other commands first. The backup is restored into a new database and compared with what was
    backed up; only then the new database takes the name of the present one, which is kept under another
    name. An older backup is brought to the schema of this version. Everybody has to sign in again.
    """
    if (named is not None) + undo + drop_replaced != 1:
        raise InvalidInput(
            "name a backup (`outrider backup list` shows them), or give --undo or --drop-replaced"
        )
    loaded = load_settings(config, data=data)
    need_direct_connection(loaded, "restore")
    if drop_replaced:
        _drop(loaded, yes=yes, json=json)
        return
    done = run(_restore(loaded, named, force=force, keep_tokens=keep_tokens, yes=yes))
    print_json(as_json(done)) if json else show_restored(done, is_undone=undo, is_forced=force)


async def _restore(
    loaded: Loaded, named: str | None, *, force: bool, keep_tokens: bool, yes: bool
) -> RestoredDatabase:
    backup = None if named is None else find_backup(loaded.settings, named)
    if backup is not None:
        await check_backup(backup, loaded.settings)
    async with reach_server(loaded, may_create=backup is not None) as dsn:
        present = await look_at_present(dsn)
        if not force:
            refuse_if_in_use(present)
        if backup is None:
            kept = await list_replaced(dsn)
            _confirm(question_of_undo(present, kept), yes=yes or not kept)
            async with shown_progress() as progress:
                return await undo_restore(dsn, present, progress, force=force)
        _confirm(question(present, backup), yes=yes)
        async with shown_progress() as progress:
            return await restore_backup(dsn, present, backup, progress, force=force, keep_tokens=keep_tokens)


def _drop(loaded: Loaded, *, yes: bool, json: bool) -> None:
    async def look() -> list[str]:
        async with reach_server(loaded) as dsn:
            return await list_replaced(dsn)

    async def drop() -> list[str]:
        async with reach_server(loaded) as dsn:
            return await drop_replaced(dsn)

    kept = run(look())
    if kept:
        _confirm(f"Drop {', '.join(kept)} for ever?", yes=yes)
    dropped = run(drop()) if kept else []
    print_json({"dropped": dropped}) if json else show_dropped(dropped)


def _confirm(question: str, *, yes: bool) -> None:
    if not yes and not typer.confirm(question, err=True):
        raise typer.Abort
