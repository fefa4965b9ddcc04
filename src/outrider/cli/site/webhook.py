"""`outrider site webhook` and `deliveries`: have replacements of links sent to your system."""

from typing import Annotated

import typer

from outrider.cli.options import Config, Data, Json, Limit, Offset
from outrider.cli.output import plain, print_json, show, table
from outrider.cli.running import load_settings
from outrider.cli.site.options import SiteName
from outrider.cli.use_case import call, change
from outrider.errors import InvalidInput
from outrider.services.as_json import as_json, list_as_json
from outrider.services.paging import PageRequest
from outrider.services.sites.webhook import (
    SiteWithSecret,
    connect_webhook,
    list_deliveries,
    rotate_secret,
    send_test,
)
from outrider.wording import plural


def webhook(
    site: SiteName,
    url: Annotated[
        str | None,
        typer.Argument(metavar="[URL]", help="Where replacements of links are sent.", show_default=False),
    ] = None,
    secret: Annotated[
        bool, typer.Option("--new-secret", help="Make a new secret; it is shown once.")
    ] = False,
    now: Annotated[
        bool, typer.Option("--now", help="The old secret stops signing at once, not after an hour.")
    ] = False,
    test: Annotated[bool, typer.Option("--test", help="Send a delivery that changes nothing.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Send nothing any more.")] = False,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Have replacements of links sent to your system, signed with a secret."""
    if sum((url is not None, secret, test, remove)) != 1:
        raise InvalidInput("give one of URL, --new-secret, --test and --remove")
    loaded = load_settings(config, data=data)
    if test:
        sent = change(loaded, lambda db: send_test(db, site))
        print_json(as_json(sent)) if json else show(plain(f"Delivery {sent.delivery_id} waits to be sent."))
        return
    if secret:
        made = change(loaded, lambda db: rotate_secret(db, site, 0.0) if now else rotate_secret(db, site))
        old = (
            "The old secret signs nothing any more." if now else "The old secret signs for another hour, too."
        )
        _show(made, old, json=json)
        return
    done = change(loaded, lambda db: connect_webhook(db, site, url))
    sentence = "Nothing is sent any more." if remove else f"Replacements are sent to {url}."
    if isinstance(done, SiteWithSecret):
        _show(done, sentence, json=json)
    else:
        print_json(as_json(done)) if json else show(plain(sentence))


def deliveries(
    site: SiteName,
    limit: Limit = 50,
    offset: Offset = 0,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """List what was sent to the webhook of a site, newest first."""
    found = call(
        load_settings(config, data=data), lambda db: list_deliveries(db, site, PageRequest(limit, offset))
    )
    if json:
        print_json(list_as_json(found, "deliveries"))
        return
    rows = [
        (each.delivery_id, each.kind, each.state, each.attempts, each.http_status or "", each.why or "")
        for each in found.items
    ]
    show(table(("delivery", "kind", "state", "attempts", "status", "why"), rows, whole=("delivery", "state")))
    show(plain(f"{len(rows)} of {plural(found.total, 'delivery', 'deliveries')}"))


def _show(made: SiteWithSecret, sentence: str, *, json: bool) -> None:
    if json:
        print_json(as_json(made))
        return
    show(plain(sentence))
    show(plain(f"The secret of the webhook, which is not shown again: {made.secret}"))
