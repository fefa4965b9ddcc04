"""`outrider run log`: the log of a run."""

from typing import TYPE_CHECKING, Annotated

import typer

from outrider.cli.database import open_database
from outrider.cli.options import Config, Data, Json
from outrider.cli.output import harmless, print_json, say
from outrider.cli.running import load_settings, run
from outrider.run_logs.model import LineLevel, LogCategory, LogLine
from outrider.run_logs.position import LogPosition

if TYPE_CHECKING:
    from outrider.services.runs.logs import ShownLines

_AHEAD = "the log does not reach this position, so it starts anew: the database was set back"


def log(
    run_: Annotated[
        str,
        typer.Argument(metavar="RUN", help="The number of the run; `last`: the newest.", show_default=False),
    ],
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Go on with new lines until the run ends.")
    ] = False,
    after: Annotated[
        str | None,
        typer.Option(
            metavar="POSITION",
            help="Only lines after this one. Every line begins with its position.",
            show_default=False,
        ),
    ] = None,
    last: Annotated[
        int, typer.Option(min=0, max=1_000_000, help="Without --after: this many of the last lines.")
    ] = 200,
    level: Annotated[LineLevel, typer.Option(help="Only lines of this level and above.")] = LineLevel.DEBUG,
    category: Annotated[
        list[LogCategory] | None,
        typer.Option(help="Only lines of this category; can be given several times.", show_default=False),
    ] = None,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Show the log of a run, from the database or from the archive."""
    from outrider.services.runs.logs import LogRequest, show_log  # `run cancel` must start fast

    loaded = load_settings(config, data=data)
    request = LogRequest(after, last, level, category or (), is_followed=follow)

    async def work() -> None:
        async with open_database(loaded, may_create=False) as database:
            async for shown in show_log(loaded.settings, database.dsn, run_, request):
                _print(shown, json=json)

    run(work())


def _print(shown: "ShownLines", *, json: bool) -> None:
    if not shown.is_kept:
        if json:
            print_json({"reset": True, "position": str(shown.position)})
        else:
            say(_gone(shown.position))
    for line, said in zip(shown.lines, shown.as_json, strict=True):
        if json:
            print_json(said)
        else:
            print(harmless(in_words(line)), flush=True)


def _gone(position: LogPosition) -> str:
    """Why lines are missing before a position."""
    if not position.number:
        return _AHEAD
    return f"the lines up to {position} are not here: their archive was deleted, or another machine has it"


def in_words(line: LogLine) -> str:
    """The line for people: position, time, level, category, message and fields."""
    fields = " ".join(f"{name}={value}" for name, value in line.fields.items() if value is not None)
    when = line.at.astimezone().strftime("%Y-%m-%d %H:%M:%S")
    start = f"{line.position!s:<8} {when} {line.level:<5} {line.category:<10} {line.message}"
    return f"{start}  {fields}" if fields else start
