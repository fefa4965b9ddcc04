"""Options that several commands share, each written once."""

from pathlib import Path
from typing import Annotated

import typer

Data = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help="Where everything is kept.", show_default=False),
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
        help="Your e-mail address or web page, told to every site that is asked.",
        show_default=False,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Write JSON for programs instead of text for people.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing unless it fails.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")]
Limit = Annotated[int, typer.Option(min=1, max=10_000, help="Lines at most.")]
Offset = Annotated[int, typer.Option(min=0, help="Lines to leave out first.")]
