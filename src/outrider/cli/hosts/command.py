"""`outrider hosts`: show hosts, block them, and change their delays."""

from typing import Annotated

import typer

from outrider.cli.hosts.report import show_details, show_hosts
from outrider.cli.options import After, Config, Data, Json
from outrider.cli.output import fail, print_json, say
from outrider.cli.running import WRONG_USAGE, load_settings
from outrider.cli.use_case import Connection, call
from outrider.hosts.options import LONGEST_DELAY_MS
from outrider.hosts.view import HostOrder
from outrider.services.as_json import as_json, list_as_json
from outrider.services.hosts.hosts import (
    MOST_HOSTS,
    HostDetails,
    block_host,
    list_hosts,
    reset_host,
    set_host_delay,
    show_host,
    unblock_host,
)
from outrider.services.paging import PageRequest
from outrider.urls.typed import host_named


def hosts(
    host: Annotated[
        str | None, typer.Argument(metavar="[HOST]", help="One host in detail.", show_default=False)
    ] = None,
    sort: Annotated[HostOrder, typer.Option(help="Sort the list by this.")] = HostOrder.PAGES,
    limit: Annotated[int, typer.Option(min=1, max=MOST_HOSTS, help="Hosts in the list.")] = 50,
    after: After = None,
    block: Annotated[
        str | None,
        typer.Option(metavar="REASON", help="Send no more requests to the host.", show_default=False),
    ] = None,
    unblock: Annotated[bool, typer.Option("--unblock", help="Send requests again.")] = False,
    delay: Annotated[
        str | None,
        typer.Option(
            metavar="SECONDS",
            help="Pause between requests, never less than in robots.txt; `default` removes it.",
            show_default=False,
        ),
    ] = None,
    reset: Annotated[
        bool,
        typer.Option("--reset", help="Lift block and penalty, close the circuit, fetch robots.txt again."),
    ] = False,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Show hosts, their delays and their state."""
    changes = sum((block is not None, unblock, delay is not None, reset))
    if changes > 1:
        fail("choose one of --block, --unblock, --delay and --reset", WRONG_USAGE)
    if changes and host is None:
        fail("name the host to change", WRONG_USAGE)
    if block is not None and not block.strip():
        fail("give a reason for the block, for later readers", WRONG_USAGE)
    asked_ms = None if delay is None else _milliseconds(delay)
    name = None if host is None else host_named(host)
    loaded = load_settings(config, data=data)
    options = loaded.settings.hosts
    if name is None:
        listed = call(loaded, lambda db: list_hosts(db, sort, PageRequest(limit, after=after)))
        if not json:
            show_hosts(listed.items)
        else:
            # A list that is read page by page is an object with `next`; without --after it is an array.
            print_json(as_json(listed.items) if after is None else list_as_json(listed, "hosts"))
        return

    async def work(db: Connection) -> HostDetails:
        if block is not None:
            return await block_host(db, name, block, options)
        if unblock:
            return await unblock_host(db, name)
        if reset:
            return await reset_host(db, name)
        if delay is not None:
            return await set_host_delay(db, name, asked_ms, options)
        return await show_host(db, name)

    found = call(loaded, work, may_create=block is not None)
    if asked_ms is not None and found.delay_ms is not None and found.delay_ms > asked_ms:
        say(f"{name} asks for {found.delay_ms / 1000:g} s in its robots.txt, so its delay is that long")
    if json:
        print_json(as_json(found))
    else:
        show_details(found, options)


def _milliseconds(delay: str) -> int | None:
    """The value of `--delay`; None for `default`."""
    if delay == "default":
        return None
    try:
        seconds = float(delay)
    except ValueError:
        seconds = -1
    if not 0 <= seconds * 1000 <= LONGEST_DELAY_MS:
        fail(f"--delay is a number of seconds up to a day, or `default`, not {delay!r}", WRONG_USAGE)
    return round(seconds * 1000)
