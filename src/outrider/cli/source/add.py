"""`outrider source add` and `edit`: combine the given fields with the feeds and sitemaps of the site."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any

import asyncpg
import typer

from outrider.cli.contact import require_contact
from outrider.cli.database import has_database, open_database
from outrider.cli.options import Config, Contact, Data, DryRun, Json
from outrider.cli.output import FAILED, console, fail, plain, print_json, say
from outrider.cli.polite_fetch import polite_fetch
from outrider.cli.running import WRONG_USAGE, load_settings, run
from outrider.cli.source.fields import AUTO, Said, with_fields
from outrider.cli.source.found import found_as_json, show_found
from outrider.cli.source.write import write
from outrider.errors import Conflict
from outrider.settings import Loaded
from outrider.sources import values
from outrider.sources.model import Mode
from outrider.sources.source_changes import SourceChanges, read_changes
from outrider.sources.store import SourceStore
from outrider.watch.channels.found import Found
from outrider.watch.source_service import ChangeResult, SourceService

_DRY = "Nothing was changed (--dry-run)."


@with_fields
def add(
    url: Annotated[
        str, typer.Argument(metavar="URL", help="The site; `example.com` is enough.", show_default=False)
    ],
    said: Said,
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
        require_contact(loaded.settings.fetch, [changes.as_source().url])
        if not force and has_database(loaded):
            run(_refuse_if_known(loaded, changes))  # before any request to the site
        looking = _look_around(url, changes.as_source().url, loaded, proposes=proposes)
        found, proposal = run(looking)
        changes = replace(changes, url=found.url, selectors=proposal or changes.selectors)
        if not json:
            show_found(found, proposal)
        if not found.is_reached and not force:
            if json:
                print_json({"added": False, "found": found_as_json(found)})
            fail("the site returned no page: name its --feed, or use --force to add it anyway", FAILED)
        changes = completed(changes, found)
        if not force and (elsewhere := _leads_elsewhere(changes, found)) is not None:
            if json:
                print_json({"added": False, "found": found_as_json(found)})
            fail(
                f"{found.url} redirects to {elsewhere}, out of its scope, so no link could be followed: "
                f"`outrider source add {elsewhere}` watches that site, --force adds this one anyway",
                FAILED,
            )
    settled = run(_add(loaded, changes, found, force=force, dry_run=dry_run))
    if json:
        print_json(_as_json(changes, settled, found, dry_run=dry_run))
        return
    _tell(settled)
    new = settled.source if settled else changes.as_source()
    if dry_run:
        console().print(plain(f"{new.name} would be watched in mode {new.mode.value}. {_DRY}"))
    else:
        console().print(plain(f"{new.name} is watched from now on, in mode {new.mode.value}."))


@with_fields
def edit(
    source: Annotated[
        str, typer.Argument(metavar="SOURCE", help="Its name, number or address.", show_default=False)
    ],
    said: Said,
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

    async def work(db: asyncpg.Connection, source_service: SourceService) -> ChangeResult:
        return await source_service.change(db, await SourceStore().find(db, source), changes)

    settled = run(write(loaded, work, dry_run=dry_run))
    if json:
        changed = {"changed": settled.changed, "notes": settled.notes, "dry_run": dry_run}
        print_json({"name": settled.source.name} | changed)
        return
    _tell(settled)
    what = ", ".join(settled.changed) or "nothing"
    end = f"{what} would change. {_DRY}" if dry_run else f"{what} changed."
    console().print(plain(f"{settled.source.name}: {end}"))


def completed(changes: SourceChanges, found: Found) -> SourceChanges:
    """The given fields, completed with what the site offers."""
    mode = changes.mode
    if mode is None and found.is_reached and not found.channels:
        mode = Mode.SPIDER  # FED-24: the site has no feed and no sitemap, so its links are followed
    return replace(
        changes,
        name=changes.name or _usable(_called(found)),
        mode=mode,
        feeds=changes.feeds or [channel.url for channel in found.feeds],
        sitemaps=changes.sitemaps or [channel.url for channel in found.sitemaps],
    )


def _leads_elsewhere(changes: SourceChanges, found: Found) -> str | None:
    """The target of the start page, if links are followed and it is out of scope (RDC-18)."""
    if changes.mode is None or not changes.mode.walks or found.arrived_at is None:
        return None
    scope = changes.as_source().policy.bounds()
    return None if scope.admits(found.arrived_at) else found.arrived_at


def _called(found: Found) -> str | None:
    """The name of the site. The title of a feed is better: it has no "Home" around it."""
    name = found.name or ""
    titles = [channel.title for channel in found.feeds if channel.title]
    return min((title for title in titles if title in name or not name), key=len, default=found.name)


def _usable(name: str | None) -> str | None:
    """The name, or None if it is not valid as the name of a source."""
    try:
        return values.name((name or "")[: values.LONGEST_NAME])
    except ValueError:
        return None


def _read(said: Said) -> SourceChanges:
    reading = read_changes(said)
    for note in reading.notes:
        say(note)
    return reading.checked()


async def _look_around(
    written: str, url: str, loaded: Loaded, *, proposes: bool
) -> tuple[Found, dict[str, Any]]:
    """What a site offers, and on request the selectors that one of its articles suggests.

    Without a scheme, https is tried first, then http.
    """
    # Importing the feed parsers is slow, and they are not needed when a feed is named.
    from outrider.extract.recipe.selectors import Selectors
    from outrider.watch.discovery.discover import look_around
    from outrider.watch.trial import test_extraction

    async with polite_fetch(loaded) as fetch_one:
        found = await look_around(fetch_one, url)
        if not found.is_reached and "://" not in written:
            insecure = await look_around(fetch_one, f"http{url.removeprefix('https')}")
            found = insecure if insecure.is_reached else found
        if not proposes:
            return found, {}
        if found.sample is None:
            found.notes.append("no feed has an article to derive selectors from")
            return found, {}
        trial = await test_extraction(fetch_one, found.sample, Selectors(), None)
        proposal = trial.proposal(datetime.now(UTC))
        if not proposal:
            found.notes.append(f"{found.sample} suggests no selectors")
        return found, proposal


async def _add(
    loaded: Loaded, changes: SourceChanges, found: Found | None, *, force: bool, dry_run: bool
) -> ChangeResult | None:
    if dry_run and not has_database(loaded):
        return None

    async def work(db: asyncpg.Connection, source_service: SourceService) -> ChangeResult:
        if not force:
            await _check_unknown(db, changes)
        if found is None or not found.is_reached:
            return await source_service.add(db, changes)
        return await source_service.add(db, changes, searched=True, search_notes=found.kept_notes)

    return await write(loaded, work, dry_run=dry_run, may_create=True)


async def _refuse_if_known(loaded: Loaded, changes: SourceChanges) -> None:
    async with open_database(loaded) as database, database.connection() as db:
        await _check_unknown(db, changes)


async def _check_unknown(db: asyncpg.Connection, changes: SourceChanges) -> None:
    known = await SourceStore().by_url(db, changes.as_source().url)
    if known is not None:
        raise Conflict(
            f"{known.url} is watched already, as {known.name!r}: "
            "`outrider source edit` changes it, --force adds it a second time"
        )


def _tell(settled: ChangeResult | None) -> None:
    for note in settled.notes if settled else ():
        say(note)


def _as_json(
    changes: SourceChanges, settled: ChangeResult | None, found: Found | None, *, dry_run: bool
) -> dict[str, Any]:
    new = settled.source if settled else changes.as_source()
    return {
        "added": not dry_run,
        "source_id": None if dry_run or settled is None else settled.source.source_id,
        "name": new.name,
        "url": new.url,
        "mode": new.mode.value,
        "feeds": list(changes.feeds),
        "sitemaps": list(changes.sitemaps),
        "selectors": changes.selectors,
        "found": None if found is None else found_as_json(found),
        "notes": list(settled.notes) if settled else [],
        "dry_run": dry_run,
    }
