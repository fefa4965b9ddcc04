"""Plain values are converted as Typer converts them, without the import that Typer needs for it."""

import asyncio
import subprocess
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import pytest
import typer
from typer.core import TyperCommand

from outrider.cli.plain_values import PlainCommand


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


async def test_a_plain_command_line_imports_no_pydantic(tmp_path):
    program = (
        "import sys; from outrider.cli.main import run; "
        "code = run(sys.argv[1:]); print(code, 'pydantic' in sys.modules)"
    )
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", program, "config", "--data", str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.splitlines()[-1] == "0 False"


def read(arguments: list[str], cls: type[TyperCommand]) -> object:
    """What a command gets from these arguments, or what it says is wrong with them."""
    got: list[object] = []
    app = typer.Typer(add_completion=False, rich_markup_mode=None)

    @app.command(cls=cls)
    def command(
        names: Annotated[list[str] | None, typer.Argument()] = None,
        word: str = "none",
        number: int = 7,
        few: Annotated[int | None, typer.Option(min=1, max=9)] = None,
        share: float = 0.5,
        path: Path | None = None,
        known: Annotated[Path | None, typer.Option(exists=True)] = None,
        folder: Annotated[Path | None, typer.Option(file_okay=False)] = None,
        upper: Annotated[str | None, typer.Option(parser=str.upper)] = None,
        colour: Colour = Colour.RED,
        also: Annotated[list[str] | None, typer.Option()] = None,
        loud: bool = False,
    ) -> None:
        got.append([names, word, number, few, share, path, known, folder, upper, colour, also, loud])

    try:
        typer.main.get_command(app)(arguments, standalone_mode=False)
    except typer.TyperException as error:
        return error.format_message()
    return [(type(value), value) for value in got[0]]


@pytest.mark.parametrize(
    "line",
    [
        [],
        ["a", "b"],
        ["a", "\udcff"],
        ["--word", ""],
        ["--word", "é\tx"],
        ["--word", "\udcff"],
        ["--number", "12"],
        ["--number", "012"],
        ["--number", "-3"],
        ["--number", "1_0"],
        ["--number", "٣"],
        ["--number", "9" * 30],
        ["--number", "3.0"],
        ["--number", "many"],
        ["--few", "1"],
        ["--few", "9"],
        ["--few", "0"],
        ["--few", "10"],
        ["--share", "0.25"],
        ["--share", "much"],
        ["--path", "/"],
        ["--path", "somewhere/else"],
        ["--path", ""],
        ["--known", "/"],
        ["--known", "/nowhere/at/all"],
        ["--folder", "/"],
        ["--folder", __file__],
        ["--upper", "abc"],
        ["--colour", "blue"],
        ["--colour", "green"],
        ["--also", "a", "--also", "b"],
        ["--loud"],
    ],
)
def test_values_and_messages_are_those_of_typer(line):
    assert read(line, PlainCommand) == read(line, TyperCommand)
