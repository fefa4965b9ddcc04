"""`outrider redirect add`, `edit` and `remove`."""

from typing import Annotated

import typer

from outrider.cli.options import Config, Data, Json
from outrider.cli.output import plain, print_json, show
from outrider.cli.running import load_settings
from outrider.cli.site.options import SiteName, operator
from outrider.cli.use_case import change
from outrider.services.as_json import as_json
from outrider.services.sites.redirects import (
    RedirectDetails,
    RedirectEdit,
    RedirectRequest,
    change_redirect,
    create_redirect,
    remove_redirect,
)

Which = Annotated[str, typer.Argument(metavar="REDIRECT", help="Its path or its number.", show_default=False)]
External = Annotated[bool, typer.Option("--external", help="The target may be on another site.")]
ConfirmRoot = Annotated[bool, typer.Option("--confirm-root", help="Yes, redirect the home page.")]


def add(
    site: SiteName,
    from_path: Annotated[str, typer.Argument(metavar="FROM", help="A path.", show_default=False)],
    to: Annotated[
        str | None,
        typer.Argument(metavar="[TO]", help="A path or URL. Without it: 410.", show_default=False),
    ] = None,
    status: Annotated[int, typer.Option(help="301 for ever, 302 for a while.")] = 301,
    external: External = False,
    confirm_root: ConfirmRoot = False,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Redirect a path. Chains are flattened, and loops are refused."""
    loaded = load_settings(config, data=data)
    request = RedirectRequest(from_path, to, status, external, confirm_root)
    _show(change(loaded, lambda db: create_redirect(db, site, request, operator())), json=json)


def edit(
    site: SiteName,
    which: Which,
    to: Annotated[
        str | None, typer.Option("--to", metavar="TO", help="A path or URL.", show_default=False)
    ] = None,
    status: Annotated[int | None, typer.Option(help="Another code.", show_default=False)] = None,
    external: External = False,
    confirm_root: ConfirmRoot = False,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Give a redirect another target or code."""
    loaded = load_settings(config, data=data)
    changes = RedirectEdit(to, status, external, confirm_root)
    _show(change(loaded, lambda db: change_redirect(db, site, which, changes, operator())), json=json)


def remove(
    site: SiteName, which: Which, json: Json = False, data: Data = None, config: Config = None
) -> None:
    """Remove a redirect. Its broken URL is opened again."""
    loaded = load_settings(config, data=data)
    gone = change(loaded, lambda db: remove_redirect(db, site, which, operator()))
    print_json(as_json(gone)) if json else show(plain(f"{gone.from_path} is not redirected any more."))


def _show(made: RedirectDetails, *, json: bool) -> None:
    if json:
        print_json(as_json(made))
    else:
        show(plain(f"{made.from_path} → {made.to or 'gone'} ({made.status})"))
