"""`outrider simulate`: a policy tried on a made-up web before the real one sees it."""

from pathlib import Path
from typing import Annotated

import typer

from outrider.cli.options import Config, Data, Json


def simulate(
    hosts: Annotated[int, typer.Option(min=1, max=100_000, help="Sites in the simulated web.")] = 1_000,
    days: Annotated[float, typer.Option(min=0.01, max=366, help="Days that pass.")] = 7.0,
    seed: Annotated[int, typer.Option(help="Another web for each; the same for the same.")] = 1,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Virtual workers.")] = 1,
    mix: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Shares of the kinds of sites (TOML).", show_default=False),
    ] = None,
    delay: Annotated[
        str | None,
        typer.Option(
            metavar="TIME", help="Pause between two requests to a host. [default: as set]", show_default=False
        ),
    ] = None,
    poll: Annotated[
        str, typer.Option(metavar="TIME", help="How often a feed is polled to begin with.")
    ] = "4h",
    sitemap_poll: Annotated[
        str, typer.Option("--sitemap-poll", metavar="TIME", help="How often a sitemap is polled.")
    ] = "24h",
    mode: Annotated[str, typer.Option(help="How pages are found: feed, spider or both.")] = "feed",
    revisit: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="How often articles are fetched again. [default: when a sitemap says so]",
            show_default=False,
        ),
    ] = None,
    compare: Annotated[
        str | None,
        typer.Option(
            metavar="CHANGES",
            help="Simulate once more with these changes, and show both: `poll=30m,delay=2s`.",
            show_default=False,
        ),
    ] = None,
    data: Data = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """Try a policy on a simulated web, a week in a minute.

    The frontier, the database and every decision are the real ones; only the network and the clock are made
    up. The same seed gives the same report. Without --data nothing is kept. Exits with 1 if a site was
    treated rudely.
    """
    from outrider.cli.simulate.choices import Choices
    from outrider.cli.simulate.run import simulate_and_tell

    choices = Choices(delay=delay, poll=poll, sitemap_poll=sitemap_poll, mode=mode, revisit=revisit)
    is_polite = simulate_and_tell(
        choices,
        hosts=hosts,
        days=days,
        seed=seed,
        workers=workers,
        mix_file=mix,
        changes=compare,
        data=data,
        config=config,
        json=json,
    )
    if not is_polite:
        raise typer.Exit(1)
