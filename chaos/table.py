"""What a run came to, as a table: for the terminal, and for the page."""

from chaos.rounds import Row
from chaos.run import Outcome
from rich.table import Table
from rich.text import Text

from outrider.cli.output import table

_COLUMNS = ("fault", "times", "requests", "pages", "lost", "double", "early", "pause, s")


def for_terminal(outcome: Outcome) -> Table:
    rows = (_in_colour(name, row) for name, row in outcome.rows.items())
    return table(_COLUMNS, rows, right=_COLUMNS[1:], title="Under fire")


def for_page(outcome: Outcome) -> str:
    """Markdown, with a last line for all of it, and what had no time."""
    rows = list(outcome.rows.items())
    if rows:
        total, *others = outcome.rows.values()
        for row in others:
            total += row
        rows.append(("**all**", total))
    lines = [_COLUMNS, ("---", *["---:"] * (len(_COLUMNS) - 1)), *(_on_page(name, row) for name, row in rows)]
    missed = not_reached(outcome)
    return "".join(f"| {' | '.join(line)} |\n" for line in lines) + (f"\n{missed}\n" if missed else "")


def not_reached(outcome: Outcome) -> str:
    return f"Not reached: {', '.join(outcome.not_reached)}." if outcome.not_reached else ""


def _cells(name: str, row: Row) -> tuple[str, ...]:
    counts = (row.times, row.requests, row.pages, row.lost, row.double, row.early)
    return name, *(f"{count:,}" for count in counts), f"{row.pause_s:.1f}"


def _on_page(name: str, row: Row) -> tuple[str, ...]:
    """A round that did not come to its end has zeros, too."""
    return _cells(name if row.is_clean else f"{name} (broken)", row)


def _in_colour(name: str, row: Row) -> tuple[Text, ...]:
    """Red is what should be zero and is not."""
    broken = {"fault": not row.is_clean, "lost": row.lost, "double": row.double, "early": row.early}
    return tuple(
        Text(cell, style="red" if broken.get(column) else "")
        for column, cell in zip(_COLUMNS, _cells(name, row), strict=True)
    )
