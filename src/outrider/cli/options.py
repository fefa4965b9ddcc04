"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

Data = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help="The data directory.", show_default=False),
]
Config = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="The settings file to read (TOML).", show_default=False),
]
Contact = Annotated[
    str | None,
    typer.Option(
        "--contact",
        metavar="WHO",
        help="Your e-mail address or web page, sent to every site with each request.",
        show_default=False,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing unless it fails.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only print what would be done.")]
Limit = Annotated[int, typer.Option(min=1, max=10_000, help="Most lines to print.")]
After = Annotated[
    str | None,
    typer.Option(
        metavar="CURSOR",
        help="List what follows a page: its `next` with --json, or `start` for the first page.",
        show_default=False,
    ),
]
Offset = Annotated[int, typer.Option(min=0, help="Lines to skip first.")]
