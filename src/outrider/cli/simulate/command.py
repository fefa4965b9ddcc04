"""`outrider simulate`: try a policy on a simulated web before it is used."""

from pathlib import Path
from typing import Annotated

import typer

from outrider.cli.options import Config, Data, Json


def simulate(
    hosts: Annotated[int, typer.Option(min=1, max=100_000, help="Sites in the simulated web.")] = 1_000,
    days: Annotated[float, typer.Option(min=0.01, max=366, help="Days that pass.")] = 7.0,
    seed: Annotated[
        int, typer.Option(help="Seed of the simulated web; the same seed gives the same web.")
    ] = 1,
    seeds: Annotated[
        int,
        typer.Option(
            min=1, max=100, help="Number of webs, with this seed and the next ones; shows the range."
        ),
    ] = 1,
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
        str | None,
        typer.Option(
            metavar="TIME",
            help="First poll interval of a feed. [default: as set, else 4h]",
            show_default=False,
        ),
    ] = None,
    sitemap_poll: Annotated[
        str | None,
        typer.Option(
            "--sitemap-poll",
            metavar="TIME",
            help="How often a sitemap is polled. [default: as set, else 24h]",
            show_default=False,
        ),
    ] = None,
    mode: Annotated[str, typer.Option(help="How pages are found: feed, spider or both.")] = "feed",
    revisit: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="How often articles are fetched again. [default: when a sitemap says so]",
            show_default=False,
        ),
    ] = None,
    jobs: Annotated[
        bool,
        typer.Option(
            "--jobs", help="Also run the jobs of the sources: slots, adaptive intervals, a rebalance."
        ),
    ] = False,
    compare: Annotated[
        str | None,
        typer.Option(
            metavar="CHANGES",
            help="Simulate again with other settings, and show both: `poll=30m,trap_patience=3`.",
            show_default=False,
        ),
    ] = None,
    data: Data = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """Try a policy on a simulated web, a week in a minute.

    The frontier, the database and every decision are real; the network and the clock are simulated.
    The same seed gives the same report. Without --data nothing is kept. The exit code is 1 if a request
    was impolite, and 130 after Ctrl-C.
    """
    from outrider.cli.simulate.interrupt import interruptible

    with interruptible():  # also while the rest is imported, which takes a second
        from outrider.cli.simulate.policy_options import PolicyOptions, changes_of
        from outrider.cli.simulate.run import simulate_and_report
        from outrider.simulate.mix import USUAL, read_mix
        from outrider.simulate.plan import SimulationPlan

        policy_options = PolicyOptions.of(
            delay=delay, poll=poll, sitemap_poll=sitemap_poll, mode=mode, revisit=revisit
        )
        shares = USUAL if mix is None else read_mix(mix)
        plan = SimulationPlan(hosts, days, seed, workers, shares, has_jobs=jobs)
        changes = changes_of(compare) if compare is not None else {}
        is_polite = simulate_and_report(
            policy_options, plan, seeds=seeds, changes=changes, data=data, config=config, json=json
        )
    if not is_polite:
        raise typer.Exit(1)
