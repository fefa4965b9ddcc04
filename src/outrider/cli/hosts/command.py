"""`outrider hosts`: how hosts behave, how each is treated, and what an operator may change."""

from typing import Annotated, Any

import asyncpg
import typer

from outrider.cli.database import open_database
from outrider.cli.hosts.report import show_host, show_hosts
from outrider.cli.options import Config, Data, Json
from outrider.cli.output import fail, print_json, say
from outrider.cli.running import WRONG_USAGE, load_settings, run
from outrider.cli.show.records import record
from outrider.cli.spelling import host_named
from outrider.errors import NotFound
from outrider.hosts.options import LONGEST_DELAY_MS
from outrider.hosts.politeness import base_delay
from outrider.hosts.store import HostOrder, HostStore, HostView
from outrider.robots import AGENT
from outrider.robots.files import files_of_host
from outrider.settings import Loaded
from outrider.urls import host_id_of

LONGEST_REASON = 500


def hosts(
    host: Annotated[
        str | None, typer.Argument(metavar="[HOST]", help="One host in detail.", show_default=False)
    ] = None,
    sort: Annotated[HostOrder, typer.Option(help="What the list begins with.")] = HostOrder.PAGES,
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="Hosts in the list.")] = 50,
    block: Annotated[
        str | None, typer.Option(metavar="REASON", help="Ask nothing of it any more.", show_default=False)
    ] = None,
    unblock: Annotated[bool, typer.Option("--unblock", help="Ask it again.")] = False,
    delay: Annotated[
        str | None,
        typer.Option(
            metavar="SECONDS",
            help="Pause between requests, never less than robots.txt asks; `default` for no wish.",
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
    """Show hosts, and how gently each is treated."""
    changes = sum((block is not None, unblock, delay is not None, reset))
    if changes > 1:
        fail("choose one of --block, --unblock, --delay and --reset", WRONG_USAGE)
    if changes and host is None:
        fail("name the host that this is about", WRONG_USAGE)
    if block is not None and not block.strip():
        fail("say why it is blocked: whoever finds it blocked in a year will want to know", WRONG_USAGE)
    asked_ms = None if delay is None else _milliseconds(delay)
    name = None if host is None else host_named(host)
    loaded = load_settings(config, data=data)

    async def work() -> None:
        async with (
            open_database(loaded, may_create=block is not None) as database,
            database.connection() as db,
        ):
            if name is None:
                found = await HostStore().all(db, sort, limit)
                print_json([as_json(each) for each in found]) if json else show_hosts(found)
                return
            if block is not None:
                await HostStore().block(db, name, block[:LONGEST_REASON], loaded.settings.hosts.delay_ms)
            elif unblock:
                await HostStore().unblock(db, name)
            elif reset:
                await HostStore().reset(db, name)
            elif delay is not None:
                await _set_delay(db, name, asked_ms, loaded)
            await _show(db, name, loaded, json=json)

    run(work())


async def _set_delay(db: asyncpg.Connection, host: str, asked_ms: int | None, loaded: Loaded) -> None:
    robots_s = await _robots_delay_s(db, host)
    asked_s = None if asked_ms is None else asked_ms / 1000
    delay_ms = base_delay(robots_s, asked_s, loaded.settings.hosts)
    await HostStore().set_delay(db, host, asked_ms, delay_ms)
    if asked_ms is not None and delay_ms > asked_ms:
        say(f"{host} asks for {delay_ms / 1000:g} s in its robots.txt, so that is what it gets")


async def _show(db: asyncpg.Connection, host: str, loaded: Loaded, *, json: bool) -> None:
    view = await HostStore().find(db, host)
    if view is None:
        raise NotFound(f"{host} is not known here: no link led to it and nobody submitted it")
    queued = await HostStore().queued(db, host)
    if json:
        print_json(as_json(view) | {"queued": queued})
    else:
        show_host(view, queued, await _robots_delay_s(db, host), loaded.settings.hosts)


async def _robots_delay_s(db: asyncpg.Connection, host: str) -> float | None:
    """The longest that any of its robots.txt files asks for."""
    files = await files_of_host(db, host_id_of(host))
    asked = (file.rules.crawl_delay(AGENT) for file in files)
    return max((seconds for seconds in asked if seconds is not None), default=None)


def as_json(view: HostView) -> dict[str, Any]:
    return record(view) | {"answer_ms": view.answer_ms}


def _milliseconds(delay: str) -> int | None:
    """What `--delay` says; None for `default`."""
    if delay == "default":
        return None
    try:
        seconds = float(delay)
    except ValueError:
        seconds = -1
    if not 0 <= seconds * 1000 <= LONGEST_DELAY_MS:
        fail(f"--delay is a number of seconds up to a day, or `default`, not {delay!r}", WRONG_USAGE)
    return round(seconds * 1000)
