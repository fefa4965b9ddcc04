"""What a benchmark found: one table for the terminal and for the page, and its figures for programs."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rich import box
from rich.table import Table

HEADING_WIDTH = 8  # wider ones are broken into lines, unless the figures below are as wide
FIGURE_WIDTH = 20  # cells up to this stay on one line: a narrow terminal folds the others, such as long names


@dataclass(frozen=True, slots=True)
class Report:
    name: str
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    remarks: Sequence[str] = ()
    figures: Sequence[dict[str, Any]] = field(default_factory=list)

    def table(self) -> Table:
        table = Table(
            title=self.title,
            title_justify="left",
            title_style="bold",
            box=box.SIMPLE_HEAD,
            collapse_padding=True,
        )
        for nth, column in enumerate(self.columns):
            width = max([HEADING_WIDTH, *(len(row[nth]) for row in self.rows)])
            heading = textwrap.fill(column, width, break_long_words=False)
            is_figure = nth > 0 and width <= FIGURE_WIDTH
            table.add_column(heading, justify="right" if nth else "left", no_wrap=is_figure, overflow="fold")
        for row in self.rows:
            table.add_row(*row)
        return table

    def markdown(self) -> str:
        """The table and the remarks; the title is the page's business."""
        head = [_line(self.columns), _line(["---", *["---:"] * (len(self.columns) - 1)])]
        remarks = "".join(f"\n{remark}\n" for remark in self.remarks)
        return "\n".join([*head, *(_line(row) for row in self.rows)]) + "\n" + remarks


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
