"""Arguments and options that the commands about jobs share."""

from typing import Annotated

import typer

from outrider.services.jobs.jobs import HIGHEST_PRIORITY, MOST_JOBS, MOST_RETRIES

Named = Annotated[
    str,
    typer.Argument(
        metavar="JOB",
        help="Number or id of the job, or name or address of its source.",
        show_default=False,
    ),
]
ManyNamed = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[JOB]…",
        help="Numbers or ids of jobs, or names or addresses of their sources.",
        show_default=False,
    ),
]
Label = Annotated[
    str | None,
    typer.Option("--label", metavar="LABEL", help="Jobs of sources with this label.", show_default=False),
]
SourcePattern = Annotated[
    str | None,
    typer.Option(
        "--source",
        metavar="PATTERN",
        help="Jobs of sources whose name matches: `sport-*`, `*news*`.",
        show_default=False,
    ),
]
Statuses = Annotated[
    str,
    typer.Option(
        "--status",
        metavar="STATE,…",
        help="Jobs in these states: pending, scheduled, running, paused, completed, failed, cancelled.",
        show_default=False,
    ),
]
All = Annotated[bool, typer.Option("--all", help="All jobs.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Skip the confirmation.")]
EveryText = Annotated[
    str | None,
    typer.Option(
        "--every", metavar="INTERVAL", help="Time between two runs: 30m, 6h or 2d.", show_default=False
    ),
]
Priority = Annotated[
    int | None,
    typer.Option(
        min=0, max=HIGHEST_PRIORITY, help="Jobs with a higher number start first.", show_default=False
    ),
]
Retries = Annotated[
    int | None,
    typer.Option(
        "--max-retries", min=0, max=MOST_RETRIES, help="Retries after a run that failed.", show_default=False
    ),
]
JobLimit = Annotated[int, typer.Option("--limit", min=1, max=MOST_JOBS, help="Most lines to print.")]
