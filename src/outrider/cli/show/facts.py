"""A list of facts: a grey label and its value to the right."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from outrider.cli.output import plain

if TYPE_CHECKING:
    from rich.table import Table

LABEL_WIDTH = 12


def facts(rows: Iterable[tuple[str, object]]) -> "Table":
    """A grid of two columns. A label equal to the one above is not repeated."""
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2))
    grid.add_column(min_width=LABEL_WIDTH, no_wrap=True)
    grid.add_column(overflow="fold")
    above = ""
    for label, fact in rows:
        shown = fact if isinstance(fact, Text) else plain(fact)
        grid.add_row(plain("" if label == above else label, "bright_black"), shown)
        above = label
    return grid
