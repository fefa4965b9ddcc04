"""Output of commands: results to standard output, everything else to standard error."""

import json
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

import typer

from outrider.cli.streams import progress, unseen

if TYPE_CHECKING:  # importing Rich is slow, and a command that prints JSON does not need it
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text

FAILED = 1
WIDTH_OF_PIPES = 160
_LONGEST_SENTENCE = 1_000
# Crawled text is untrusted: it must not control the terminal.
_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0)) if code != 0x0A}


@cache
def console() -> "Console":
    """Standard output."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else WIDTH_OF_PIPES)


def screen() -> "Console":
    """Standard output for the live screen: if the terminal is gone, the work continues."""
    from rich.console import Console

    return Console(file=progress(unseen), highlight=False)


@cache
def errors() -> "Console":
    """Standard error."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def say(sentence: str) -> None:
    """Print one line to standard error, without control characters."""
    print(f"outrider: {harmless(' '.join(sentence.split()))[:_LONGEST_SENTENCE]}", file=sys.stderr)


def fail(error: Exception | str, code: int = FAILED) -> NoReturn:
    """Print the error and exit: 1 for a failure, 2 for wrong usage."""
    say(str(error))
    raise typer.Exit(code)


def print_json(value: Any, to: TextIO | None = None) -> None:
    """Print one JSON document on one line of standard output."""
    print(json.dumps(value, ensure_ascii=False, default=str), file=to, flush=True)


def show(renderable: "RenderableType") -> None:
    """Print a renderable of Rich, without trailing blanks if the output is no terminal."""
    out = console()
    if out.is_terminal:
        out.print(renderable)
        return
    with out.capture() as captured:
        out.print(renderable)
    print("\n".join(line.rstrip() for line in captured.get().splitlines()), flush=True)


def harmless(text: str) -> str:
    """`text` without control characters."""
    return text.translate(_CONTROLS)


def plain(text: object, style: str = "") -> "Text":
    """Untrusted text for display: no markup, no control characters."""
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
    """A plain table, numbers to the right. Cells that are no objects of Rich are untrusted text.

    On a narrow terminal, numbers and the `whole` columns stay on one line and other columns are folded.
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
