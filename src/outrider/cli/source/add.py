"""`outrider source add` and `edit`: combine the given fields with the feeds and sitemaps of the site."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from outrider.cli.contact import require_contact
from outrider.cli.database import has_database, is_remote
from outrider.cli.options import Config, Contact, Data, DryRun, Json
from outrider.cli.output import FAILED, console, fail, plain, print_json, say
from outrider.cli.polite_fetch import fetch_for_command
from outrider.cli.running import WRONG_USAGE, load_settings, run
from outrider.cli.source.fields import AUTO, FieldValues, with_fields
from outrider.cli.source.found import show_found
from outrider.cli.use_case import call, change
from outrider.remote import sources as remote_sources
from outrider.remote.server import open_server
from outrider.services.as_json import as_json
from outrider.services.sources.add import (
    AddedSource,
    ExploredSite,
    add_source,
    check_unwatched,
    explore_site,
)
from outrider.services.sources.edit import edit_source
from outrider.settings import Loaded
from outrider.sources.source_changes import SourceChanges, read_changes
from outrider.watch.channels.found import DiscoveryResult

_DRY = "Nothing was changed (--dry-run)."


@with_fields
def add(
    url: Annotated[
        str, typer.Argument(metavar="URL", help="The site; `example.com` is enough.", show_default=False)
    ],
    said: FieldValues,
    force: Annotated[
        bool, typer.Option("--force", help="Add the site even if it does not answer or is watched already.")
    ] = False,
    dry_run: DryRun = False,
    contact: Contact = None,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Watch a site.

    Its name, feeds and sitemaps are detected, unless you name a --feed or --sitemap.
    """
    proposes = said["selectors"] == AUTO
    changes = _read({**said, "url": url, "selectors": None if proposes else said["selectors"]})
    loaded = load_settings(config, data=data, contact=contact)
    found = None
    if proposes or not (changes.feeds or changes.sitemaps):
        if not is_remote(loaded):  # the server has a contact of its own
            require_contact(loaded.settings.fetch, [changes.as_source().url])
        if not force and has_database(loaded):
            # before any request to the site
            call(
                loaded,
                lambda db: check_unwatched(db, changes),
                remote=lambda server: remote_sources.check_unwatched(server, changes),
                may_create=True,
            )
        site = run(_explore(loaded, url, changes, proposes=proposes))
        if not json:
            show_found(site.found, site.proposal)
        if site.refusal and not force:
            if json:
                print_json(as_json(site))
            fail(site.refusal, FAILED)
        changes, found = site.changes, site.found
    added = _add(loaded, changes, found, force=force, dry_run=dry_run)
    if json:
        print_json(as_json(added))
        return
    for note in added.notes:
        say(note)
    if dry_run:
        console().print(plain(f"{added.name} would be watched in mode {added.mode.value}. {_DRY}"))
    else:
        console().print(plain(f"{added.name} is watched from now on, in mode {added.mode.value}."))


@with_fields
def edit(
    source: Annotated[
        str, typer.Argument(metavar="SOURCE", help="Its name, number or address.", show_default=False)
    ],
    said: FieldValues,
    url: Annotated[
        str | None, typer.Option(metavar="URL", help="Its new address.", show_default=False)
    ] = None,
    dry_run: DryRun = False,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Change fields of a source; `default` resets a field. Queued URLs stay queued."""
    if said["selectors"] == AUTO:
        fail("`outrider source test URL --save` proposes selectors and keeps them", WRONG_USAGE)
    changes = _read({**said, "url": url})
    if changes == SourceChanges():
        fail("name the fields to change; `outrider source edit --help` lists them", WRONG_USAGE)
    loaded = load_settings(config, data=data)

    options = loaded.settings.frontier
    edited = change(
        loaded,
        lambda db: edit_source(db, source, changes, options, dry_run=dry_run),
        remote=lambda server: remote_sources.edit_source(server, source, changes, dry_run=dry_run),
    )
    if json:
        print_json(as_json(edited))
        return
    for note in edited.notes:
        say(note)
    what = ", ".join(edited.changed) or "nothing"
    end = f"{what} would change. {_DRY}" if dry_run else f"{what} changed."
    console().print(plain(f"{edited.name}: {end}"))


def _read(said: FieldValues) -> SourceChanges:
    reading = read_changes(said)
    for note in reading.notes:
        say(note)
    return reading.checked()


async def _explore(loaded: Loaded, given: str, changes: SourceChanges, *, proposes: bool) -> ExploredSite:
    if is_remote(loaded):
        async with open_server(loaded.settings.remote) as server:
            return await remote_sources.explore_site(server, given, changes, proposes=proposes)
    async with fetch_for_command(loaded) as fetch_one:
        return await explore_site(fetch_one, given, changes, datetime.now(UTC), proposes=proposes)


def _add(
    loaded: Loaded, changes: SourceChanges, found: DiscoveryResult | None, *, force: bool, dry_run: bool
) -> AddedSource:
    if dry_run and not has_database(loaded):
        return AddedSource(changes, None, found, dry_run=True)
    options = loaded.settings.frontier
    return change(
        loaded,
        lambda db: add_source(db, changes, found, options, force=force, dry_run=dry_run),
        remote=lambda server: remote_sources.add_source(server, changes, found, force=force, dry_run=dry_run),
        may_create=True,
    )
