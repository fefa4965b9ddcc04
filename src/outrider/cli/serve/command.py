"""`outrider serve`: the whole platform in one command."""

from typing import Annotated

import typer

from outrider.cli.options import Config, Contact, Data, Json


def serve(
    host: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Where to listen. [default: 127.0.0.1]", show_default=False),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            metavar="PORT", help="Where to listen; 0 chooses a free port. [default: 8060]", show_default=False
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(metavar="N", help="Worker processes. [default: one a core]", show_default=False),
    ] = None,
    roles: Annotated[
        str, typer.Option(metavar="LIST", help="What runs here, for a fleet of machines.")
    ] = "api,scheduler,worker",
    api_processes: Annotated[
        int | None,
        typer.Option(metavar="N", help="Processes that answer requests. [default: 1]", show_default=False),
    ] = None,
    contact: Contact = None,
    data: Data = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """Run the API, the scheduler and the workers, with the database, until interrupted.

    Ctrl-C or SIGTERM finishes requests and pages under way, within 30 seconds. A second one stops at once.
    """
    if "worker" in roles:
        from outrider.workers.prepare import PRELOAD_WATCH, prepare_workers

        prepare_workers(PRELOAD_WATCH)
    from outrider.cli.running import load_settings, run
    from outrider.cli.serve.run import plan_of, serve_until_stopped

    loaded = load_settings(
        config, data=data, workers=workers, contact=contact, host=host, port=port, api_processes=api_processes
    )
    if not run(serve_until_stopped(loaded, plan_of(roles, loaded.settings), json=json)):
        raise typer.Exit(1)
