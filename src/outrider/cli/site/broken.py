"""`outrider site broken`, `resolve` and `ignore`: pages that visitors miss."""

from typing import Annotated

import typer

from outrider.cli.options import Config, Data, Json, Limit, Offset
from outrider.cli.output import plain, print_json, show, table
from outrider.cli.running import load_settings
from outrider.cli.site.options import SiteName, operator
from outrider.cli.use_case import call, change
from outrider.redirects.broken_store import BrokenStatus, BrokenUrl
from outrider.services.as_json import as_json, list_as_json
from outrider.services.paging import PageRequest
from outrider.services.sites.broken_urls import ignore_broken, list_broken, resolve_broken
from outrider.wording import count

Number = Annotated[
    int, typer.Argument(metavar="NUMBER", help="Its number in `outrider site broken`.", show_default=False)
]


def broken(
    site: SiteName,
    status: Annotated[
        BrokenStatus | None, typer.Option(help="Only URLs in this state.")
    ] = BrokenStatus.PENDING,
    every: Annotated[bool, typer.Option("--all", help="URLs in every state.")] = False,
    limit: Limit = 50,
    offset: Offset = 0,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """List pages that visitors miss, those with the most lost visitors first."""
    loaded = load_settings(config, data=data)
    wanted = None if every else status
    page = call(loaded, lambda db: list_broken(db, site, PageRequest(limit, offset), wanted))
    if json:
        print_json(list_as_json(page, "broken_urls"))
        return
    if not page.items:
        show(plain("No broken URL waits for you."))
        return
    rows = [
        (
            each.broken_id,
            each.path,
            count(each.prior_analytics_hits),
            count(each.recent_404_count),
            each.status,
            _suggestion(each),
        )
        for each in page.items
    ]
    columns = ("number", "path", "views before", "404s", "state", "suggestion")
    show(table(columns, rows, right=("number", "views before", "404s")))


def resolve(
    site: SiteName,
    number: Number,
    to: Annotated[
        str | None,
        typer.Argument(metavar="[TARGET]", help="Without it, the best suggestion.", show_default=False),
    ] = None,
    external: Annotated[bool, typer.Option("--external", help="The target may be on another site.")] = False,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Redirect the visitors of a missed page."""
    loaded = load_settings(config, data=data)
    done = change(loaded, lambda db: resolve_broken(db, site, number, to, operator(), may_leave=external))
    print_json(as_json(done)) if json else show(plain(f"{done.path} is redirected now."))


def ignore(
    site: SiteName, number: Number, json: Json = False, data: Data = None, config: Config = None
) -> None:
    """Leave a missed page alone, also when it is missed again."""
    loaded = load_settings(config, data=data)
    done = change(loaded, lambda db: ignore_broken(db, site, number))
    print_json(as_json(done)) if json else show(plain(f"{done.path} is ignored from now on."))


def _suggestion(row: BrokenUrl) -> str:
    return f"{row.suggestions[0].path} ({row.suggestions[0].confidence:.2f})" if row.suggestions else ""
