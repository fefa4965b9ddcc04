"""`outrider rehash`: stored URLs brought to the spelling of this version."""

from typing import Annotated

import typer

from outrider.cli.database import need_direct_connection, reach_database
from outrider.cli.options import Config, Data, Json
from outrider.cli.output import console, plain, print_json
from outrider.cli.running import load_settings, run
from outrider.cli.show.records import record
from outrider.crawl.by_hand.rehash import Rehashed, preview
from outrider.crawl.by_hand.rehash import rehash as rehash_all
from outrider.db import migrate
from outrider.frontier.spelling import Standing, standing
from outrider.urls import RULES_VERSION
from outrider.wording import count, plural


def rehash(
    again: Annotated[
        bool, typer.Option("--again", help="Also when only the rules of a source have changed.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would change.")] = False,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Bring stored URLs to the spelling of this version.

    Needed after an upgrade that changes how URLs are normalised, and after a source got other rules for its
    slashes or query parameters; commands say so. URLs that become the same are merged, with all that is known
    about them. Stop crawls first. Interrupted, it goes on when called again.
    """
    loaded = load_settings(config, data=data)
    need_direct_connection(loaded, "rehash")

    async def work() -> tuple[Standing, Rehashed]:
        async with reach_database(loaded, may_create=False) as database, database.connection() as db:
            await migrate.ensure_current(db, automatic=database.embedded is not None)
            before = await standing(db)
            return before, await (preview if dry_run else rehash_all)(db, again=again)

    before, done = run(work())
    if json:
        print_json(
            {"from": before.version, "to": RULES_VERSION, "resumed": before.becoming is not None}
            | record(done)
            | {"dry_run": dry_run}
        )
    elif before.version == RULES_VERSION and before.becoming is None and not again:
        console().print(plain(f"The URLs here are spelt by rules {RULES_VERSION}, those of this Outrider."))
    else:
        console().print(plain(_in_words(before, done, dry_run=dry_run)))


def _in_words(before: Standing, done: Rehashed, *, dry_run: bool) -> str:
    verb = "would get" if dry_run else "got"
    rules = f"From rules {before.version} to {RULES_VERSION}"
    said = f"{rules}: {plural(done.respelt, 'URL')} {verb} a new spelling."
    if before.becoming is not None:
        said = f"Gone on with where the last run was stopped. {said}"
    if done.merged:
        said += f" {count(done.merged)} of them became one with another."
    if done.refused:
        said += f" {plural(done.refused, 'address')} left as it was, being none by these rules."
    return said
