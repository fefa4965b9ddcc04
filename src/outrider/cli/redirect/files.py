"""`outrider redirect export` and `import`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from outrider.cli.options import Config, Data, DryRun, Json
from outrider.cli.output import FAILED, plain, print_json, say, show, table
from outrider.cli.running import load_settings
from outrider.cli.site.options import SiteName, operator
from outrider.cli.use_case import call, change
from outrider.errors import InvalidInput
from outrider.redirects.formats.model import LARGEST_FILE
from outrider.redirects.formats.registry import RedirectFormat
from outrider.services.as_json import as_json
from outrider.services.sites.redirect_files import export_redirects, import_redirects
from outrider.wording import count, plural

Form = Annotated[RedirectFormat, typer.Option("--format", help="The format of the file.")]


def export(
    site: SiteName,
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="Without it, standard output.", show_default=False)
    ] = None,
    form: Form = RedirectFormat.JSON,
    data: Data = None,
    config: Config = None,
) -> None:
    """Write the redirects of a site for a web server, a CDN or another program."""
    loaded = load_settings(config, data=data)
    found = call(loaded, lambda db: export_redirects(db, site, form)).file
    assert found is not None
    if file is None:
        sys.stdout.write(found.text)
    else:
        file.write_text(found.text, encoding="utf-8")
    if found.left_out:
        left_out = plural(len(found.left_out), "redirect")
        say(f"{form.value} cannot express {left_out}: {', '.join(found.left_out[:5])}")


def import_(
    site: SiteName,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A file of the format.", exists=True, dir_okay=False, show_default=False
        ),
    ],
    form: Form = RedirectFormat.CSV,
    replace: Annotated[bool, typer.Option("--replace", help="Change redirects that exist.")] = False,
    external: Annotated[bool, typer.Option("--external", help="Targets may be on other sites.")] = False,
    confirm_root: Annotated[
        bool, typer.Option("--confirm-root", help="Yes, redirect the home page.")
    ] = False,
    dry_run: DryRun = False,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Take redirects from a file. Exits with 1 if a row is refused; the others are taken."""
    loaded = load_settings(config, data=data)
    if file.stat().st_size > LARGEST_FILE:
        raise InvalidInput(f"{file} has more than {LARGEST_FILE:,} bytes: split it")
    text = file.read_text(encoding="utf-8", errors="replace")
    done = change(
        loaded,
        lambda db: import_redirects(
            db,
            site,
            text,
            form,
            operator(),
            replaces=replace,
            may_leave=external,
            confirm_root=confirm_root,
            dry_run=dry_run,
        ),
    )
    if json:
        print_json(as_json(done))
    else:
        would = "would be " if dry_run else ""
        created, changed = count(done.created), count(done.changed)
        show(plain(f"{created} {would}created, {changed} {would}changed, {count(done.refused)} refused."))
        rows = [(each.line, each.from_path, each.reason) for each in done.refused_rows]
        if rows:
            show(table(("line", "from", "refused because"), rows, right=("line",)))
    if done.refused:
        raise typer.Exit(FAILED)
