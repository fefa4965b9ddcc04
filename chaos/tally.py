"""What fuzzing came to, subject by subject: for the terminal, for the page and for programs."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from chaos.stopping import Stopped
from rich.table import Table
from rich.text import Text

from outrider.cli.output import table

_COLUMNS = ("subject", "inputs", "broken", "slowest, ms")


@dataclass(slots=True)
class Tally:
    """What became of one subject."""

    inputs: int = 0
    slowest_s: float = 0.0
    broken: list[str] = field(default_factory=list)


class Tallies(dict[str, Tally]):
    """What became of all of them, by their names, and whether somebody ended it."""

    stopped: Stopped | None = None

    @property
    def is_clean(self) -> bool:
        return not any(tally.broken for tally in self.values())

    @property
    def inputs(self) -> int:
        return sum(tally.inputs for tally in self.values())

    @property
    def broken(self) -> int:
        return sum(len(tally.broken) for tally in self.values())

    def facts(self) -> dict[str, Any]:
        """For programs."""
        return {"subjects": [{"name": name} | asdict(tally) for name, tally in self.items()]}

    def for_terminal(self) -> Table:
        rows = (
            (name, inputs, Text(broken, style="red" if self[name].broken else ""), slowest)
            for name, inputs, broken, slowest in self._rows()
        )
        return table(_COLUMNS, rows, right=_COLUMNS[1:], title="Fuzzing")

    def for_page(self) -> str:
        """Markdown, with a last line for all of it."""
        slowest_s = max(tally.slowest_s for tally in self.values())
        lines = [
            _COLUMNS,
            ("---", *["---:"] * (len(_COLUMNS) - 1)),
            *self._rows(),
            ("**all**", f"{self.inputs:,}", f"{self.broken:,}", f"{slowest_s * 1000:.0f}"),
        ]
        return "".join(f"| {' | '.join(line)} |\n" for line in lines)

    def _rows(self) -> Iterator[tuple[str, str, str, str]]:
        for name, tally in self.items():
            yield name, f"{tally.inputs:,}", f"{len(tally.broken):,}", f"{tally.slowest_s * 1000:.0f}"
