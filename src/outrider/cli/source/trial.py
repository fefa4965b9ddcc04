"""`outrider source test`: show what is extracted from a page, and where each field is found."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from outrider.cli.contact import require_contact
from outrider.cli.database import has_database
from outrider.cli.options import Config, Contact, Data, Json
from outrider.cli.output import FAILED, console, fail, print_json, say
from outrider.cli.polite_fetch import fetch_for_command
from outrider.cli.running import WRONG_USAGE, load_settings, run
from outrider.cli.show.facts import facts
from outrider.cli.source.fields import selectors_in
from outrider.cli.source.found import selector_rows
from outrider.cli.use_case import call, change
from outrider.errors import InvalidInput
from outrider.services.as_json import as_json
from outrider.services.sources.trial import PageTrial, save_selectors, source_of_page, try_page
from outrider.settings import Loaded
from outrider.sources import values
from outrider.sources.model import Source
from outrider.watch.trial import Trial, TrialField
from outrider.wording import count, plural

_LONGEST_SHOWN = 400


def try_out(
    url: Annotated[
        str, typer.Argument(metavar="URL", help="A page, such as an article.", show_default=False)
    ],
    selectors: Annotated[
        str | None, typer.Option(metavar="FILE", help="CSS selectors, as a JSON file.", show_default=False)
    ] = None,
    template: Annotated[
        str | None, typer.Option(metavar="NAME", help="The kind of site it is.", show_default=False)
    ] = None,
    proposes: Annotated[
        bool, typer.Option("--propose", help="Also propose selectors for the same fields.")
    ] = False,
    save: Annotated[
        bool, typer.Option("--save", help="Save the proposed selectors for the source of the page.")
    ] = False,
    contact: Contact = None,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Show what is extracted from a page. Nothing is stored, unless you --save the proposed selectors.

    A page of a watched site is read with the selectors of its source, unless you give --selectors or
    --template.
    """
    loaded = load_settings(config, data=data, contact=contact)
    try:
        address = values.address(url)
        given: Mapping[str, Any] = values.selectors(selectors_in(selectors)) if selectors else {}
    except ValueError as error:
        raise InvalidInput(str(error)) from error
    require_contact(loaded.settings.fetch, [address])
    owner = _source_of(loaded, address) if save or not (selectors or template) else None
    if save and owner is None:
        fail("the site of this page is not watched: add it with `outrider source add` first", WRONG_USAGE)
    source = None if selectors or template or save else owner
    if source is not None:
        given, template = source.selectors or {}, source.template
        say(f"read as a page of {source.name}")

    async def work() -> PageTrial:
        async with fetch_for_command(loaded) as fetch_one:
            now = datetime.now(UTC)
            return await try_page(fetch_one, address, given, template, now, proposes=proposes or save)

    tried = run(work())
    trial, proposal = tried.trial, tried.proposal
    if save and owner is not None and proposal:
        change(loaded, lambda db: save_selectors(db, owner, proposal, loaded.settings.frontier))
        say(f"{owner.name} is read by these selectors from now on")
    if json:
        print_json(as_json(tried))
    elif trial.is_ok:
        console().print(facts([*_rows(trial), *selector_rows(proposal or {})]))
    if trial.is_ok and proposal == {}:
        fail("the page suggests no selectors", FAILED)
    if not trial.is_ok:
        single = trial.single
        fail(f"{single.url} returned no page: {single.message or single.reason or 'it is empty'}", FAILED)


def _source_of(loaded: Loaded, url: str) -> Source | None:
    """The watched source that a page belongs to by its host."""
    return call(loaded, lambda db: source_of_page(db, url), may_create=True) if has_database(loaded) else None


def _rows(trial: Trial) -> Iterator[tuple[str, object]]:
    extracted = trial.extracted
    assert extracted is not None
    yield "page", trial.single.url
    yield "type", extracted.page_type.value
    yield "text by", f"{extracted.method.value}, {plural(extracted.words, 'word')}"
    if extracted.template:
        yield "template", extracted.template
    if trial.unindexed:
        yield "not found", f"by a search: {trial.unindexed.value.replace('_', ' ')}"
    for field in trial.fields:
        yield field.name.replace("_", " "), f"{_short(field)} ({field.origin})"
    if extracted.listed:
        yield "articles", f"{count(len(extracted.listed))} listed, first {extracted.listed[0]}"


def _short(field: TrialField) -> str:
    text = " ".join(str(field.value).split())
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
