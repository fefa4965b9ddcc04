"""`outrider robots`: show the robots.txt of a host, and whether it allows a path."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

import typer

from outrider.cli.contact import require_contact
from outrider.cli.database import open_database
from outrider.cli.options import Config, Contact, Data, Json
from outrider.cli.output import FAILED, print_json
from outrider.cli.robots.report import show_file
from outrider.cli.running import load_settings, run
from outrider.services.as_json import as_json
from outrider.services.hosts.robots import RobotsAnswer, fetch_robots, question_of, read_robots


def robots(
    host: Annotated[
        str, typer.Argument(metavar="HOST", help="A host, or a URL for one scheme and port of it.")
    ],
    path: Annotated[
        str | None,
        typer.Argument(metavar="[PATH]", help="Check whether this path may be fetched.", show_default=False),
    ] = None,
    fetch: Annotated[bool, typer.Option("--fetch", help="Fetch it now and store it.")] = False,
    contact: Contact = None,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Show a host's robots.txt and what it allows.

    With a PATH the exit code is 1 if the path may not be fetched.
    """
    question = question_of(host, path)
    loaded = load_settings(config, data=data, contact=contact)
    if fetch:
        require_contact(loaded.settings.fetch, [question.origin])

    async def work() -> Sequence[RobotsAnswer]:
        async with open_database(loaded, may_create=fetch) as database, database.connection() as db:
            if fetch:
                return await fetch_robots(db, database.dsn, question, loaded.settings)
            return await read_robots(db, question)

    answers = run(work())
    if json:
        print_json(as_json(answers))
    else:
        for answer in answers:
            show_file(answer.file, question.path, datetime.now(UTC))
    if not all(answer.is_allowed for answer in answers):
        raise typer.Exit(FAILED)
