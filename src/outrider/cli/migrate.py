"""`outrider migrate`: migrate the database forward or back, or show its schema version."""

from typing import Annotated

import asyncpg
import typer

from outrider.cli.database import need_direct_connection, reach_database
from outrider.cli.options import Config, Data, Json
from outrider.cli.output import print_json
from outrider.cli.running import load_settings, run
from outrider.db import migrate as schema
from outrider.db.migrations import Migration
from outrider.errors import InvalidInput
from outrider.settings import Loaded
from outrider.wording import plural


def migrate(
    to: Annotated[
        int | None,
        typer.Option(metavar="N", help="Go to version N; 0 is the empty database.", show_default=False),
    ] = None,
    down: Annotated[bool, typer.Option("--down", help="Allow going back, which drops data.")] = False,
    status: Annotated[bool, typer.Option("--status", help="Only look.")] = False,
    data: Data = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """Bring the database to the schema of this version.

    An embedded database is migrated automatically; a server needs this command.
    """
    if down and to is None:
        raise InvalidInput("--down needs a version to go back to, as in `outrider migrate --down --to 1`")
    loaded = load_settings(config, data=data)
    if not status:
        need_direct_connection(loaded, "migrate")
    run(_migrate(loaded, to, down=down, only_look=status, json=json))


async def _migrate(loaded: Loaded, to: int | None, *, down: bool, only_look: bool, json: bool) -> None:
    async with (
        reach_database(loaded, may_create=not only_look) as database,
        database.connection() as connection,
    ):
        moved = () if only_look else await _move(connection, to, down=down)
        found = await schema.status(connection)
    if json:
        print_json(
            {
                "version": found.version,
                "newest": found.newest,
                "pending": [migration.label for migration in found.pending],
                "rewritten": [migration.label for migration in found.rewritten],
                "moved": [migration.label for migration in moved],
            }
        )
        return
    for migration in moved:
        print(f"{'took back' if down else 'applied'} {migration.label}")
    print(_standing(found))


async def _move(connection: asyncpg.Connection, to: int | None, *, down: bool) -> tuple[Migration, ...]:
    found = await schema.status(connection)
    if to is not None and not 0 <= to <= found.newest:
        raise InvalidInput(f"there is no schema version {to}: this Outrider knows 0 to {found.newest}")
    if down and to is not None:
        return await schema.down(connection, to)
    if to is not None and to < found.version:
        raise InvalidInput(f"version {to} is behind {found.version}: going back drops data and needs --down")
    return await schema.up(connection, to)


def _standing(found: schema.MigrationStatus) -> str:
    """The schema version of the database, in one sentence."""
    if found.version > found.newest:
        return f"The database is at schema {found.version}, newer than this Outrider knows ({found.newest})."
    if found.rewritten:
        labels = ", ".join(migration.label for migration in found.rewritten)
        return f"The database was migrated with a different text of {labels}."
    if found.pending:
        waiting = plural(len(found.pending), "migration")
        return f"The database is at schema {found.version} of {found.newest}: {waiting} to go."
    return f"The database is at schema {found.version}, the newest."
