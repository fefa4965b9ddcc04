"""`outrider alerts`: list what needs a person."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Annotated

import typer

from outrider.alerts.model import AlertKind
from outrider.cli.database import has_database
from outrider.cli.options import Config, Data, Json, Limit, Offset
from outrider.cli.output import plain, print_json, show, table
from outrider.cli.running import load_settings
from outrider.cli.use_case import call
from outrider.remote import alerts as remote_alerts
from outrider.services.as_json import list_as_json
from outrider.services.operations.alerts import AlertFilter, AlertState, ListedAlert, list_alerts
from outrider.services.paging import ListPage, PageRequest
from outrider.wording import brief, count, plural

_COLUMNS = ("severity", "kind", "opened", "state", "what needs you")
_NO_OPEN = "Nothing needs you: no alert is open. `outrider alerts --all` shows the closed ones, too."
_NONE = "There was no alert within the last 90 days."
_NONE_MATCHES = "No alert matches."


def alerts(
    every: Annotated[
        bool, typer.Option("--all", help="List closed alerts, too: those of the last 90 days.")
    ] = False,
    kind: Annotated[
        AlertKind | None, typer.Option(help="Only alerts of this kind.", show_default=False)
    ] = None,
    limit: Limit = 50,
    offset: Offset = 0,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """List what needs a person, now and lately: the newest first."""
    loaded = load_settings(config, data=data)
    wanted, page = AlertFilter(AlertState.ALL if every else AlertState.OPEN, kind), PageRequest(limit, offset)
    found: ListPage[ListedAlert] = ListPage([], 0, limit, offset)
    if has_database(loaded):
        found = call(
            loaded,
            lambda db: list_alerts(db, wanted, page),
            remote=lambda server: remote_alerts.list_alerts(server, wanted, page),
            may_create=True,
        )
    print_json(list_as_json(found, "alerts")) if json else _show(found, wanted)


def _show(found: ListPage[ListedAlert], wanted: AlertFilter) -> None:
    if not found.items:
        empty = _NONE if wanted.state is AlertState.ALL else _NO_OPEN
        show(plain(_NONE_MATCHES if wanted.kind else empty))
        return
    show(table(_COLUMNS, _rows(found.items, datetime.now(UTC)), whole=("severity", "kind", "opened")))
    shown = len(found.items)
    if found.total > found.offset + shown:
        show(plain(f"{count(shown)} of {plural(found.total, 'alert')}; --limit and --offset show more."))


def _rows(found: Sequence[ListedAlert], now: datetime) -> Iterator[tuple[object, ...]]:
    for each in found:
        lasted = ((each.closed_at or now) - each.opened_at).total_seconds()
        opened = f"{brief(max((now - each.opened_at).total_seconds(), 0))} ago"
        state = "open" if each.is_open else f"over after {brief(max(lasted, 0))}"
        yield each.severity.value, each.kind, opened, state, each.sentence
