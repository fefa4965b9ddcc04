"""How commands speak: answers to standard output, everything else to standard error."""

import json
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

import typer

from outrider.cli.streams import progress, unseen

if TYPE_CHECKING:  # Rich takes its time to import; a command that prints JSON does without
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text

FAILED = 1
WIDTH_OF_PIPES = 160
_LONGEST_SENTENCE = 1_000
# Crawled text is hostile: it must not move anybody's cursor.
_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0)) if code != 0x0A}


@cache
def console() -> "Console":
    """Standard output."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else WIDTH_OF_PIPES)


def screen() -> "Console":
    """Standard output for what is drawn anew all the time: without a terminal, work goes on."""
    from rich.console import Console

    return Console(file=progress(unseen), highlight=False)


@cache
def errors() -> "Console":
    """Standard error."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def say(sentence: str) -> None:
    """One line to standard error, whatever the sentence contains."""
    print(f"outrider: {harmless(' '.join(sentence.split()))[:_LONGEST_SENTENCE]}", file=sys.stderr)


def fail(error: Exception | str, code: int = FAILED) -> NoReturn:
    """Say what went wrong and end: 1 for a failure, 2 for wrong usage."""
    say(str(error))
    raise typer.Exit(code)


def print_json(value: Any, to: TextIO | None = None) -> None:
    """One JSON document on standard output, one line of it at a time for programs that read lines."""
    print(json.dumps(value, ensure_ascii=False, default=str), file=to, flush=True)


def show(renderable: "RenderableType") -> None:
    """Print something of Rich's; without the blanks at line ends that only a terminal does not mind."""
    out = console()
    if out.is_terminal:
        out.print(renderable)
        return
    with out.capture() as captured:
        out.print(renderable)
    print("\n".join(line.rstrip() for line in captured.get().splitlines()), flush=True)


def harmless(text: str) -> str:
    """`text` without anything a terminal would act on."""
    return text.translate(_CONTROLS)


def plain(text: object, style: str = "") -> "Text":
    """Text from outside, shown as it is: no markup, no control characters."""
    from rich.text import Text

    return Text(harmless(str(text)), style=style)


def table(
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    right: Sequence[str] = (),
    whole: Sequence[str] = (),
    title: str = "",
) -> "Table":
    """A quiet table, numbers to the right. Cells that are not Rich's own are taken for text from outside.

    Where the terminal is narrow, numbers and the `whole` columns stay on one line and the others are folded.
    """
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    made = Table(
        box=SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        pad_edge=False,
        title=title or None,
        title_justify="left",
        header_style="bold",
    )
    for column in columns:
        made.add_column(
            column,
            justify="right" if column in right else "left",
            no_wrap=column in right or column in whole,
            overflow="fold",
        )
    for row in rows:
        made.add_row(*(cell if isinstance(cell, Text) else plain(cell) for cell in row))
    return made
