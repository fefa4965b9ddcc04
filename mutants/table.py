"""What a run came to, in words and as a table by room."""

from collections import Counter
from collections.abc import Iterator, Sequence

from mutants.model import Result, Verdict
from rich.table import Table
from rich.text import Text

from outrider.cli.output import table

_GOOD = {Verdict.KILLED, Verdict.TIMED_OUT}
_COLUMNS = ("room", *Verdict)


def line(result: Result) -> Text:
    """One mutant on one line."""
    mutant = result.mutant
    return Text.assemble(
        (f"  {result.verdict:9}", "" if result.verdict in _GOOD else "red"),
        f" {result.took_s:5.1f} s  {mutant.requirement}  {mutant.room:9}  {mutant.breaks}",
        no_wrap=True,
        overflow="ellipsis",
    )


def for_terminal(results: Sequence[Result]) -> Table:
    """Counts by room."""
    counts = Counter((result.mutant.room, result.verdict) for result in results)
    rooms = sorted({room for room, _ in counts})
    rows = [(room, *(str(counts[room, verdict] or "") for verdict in Verdict)) for room in rooms]
    total = Counter(result.verdict for result in results)
    rows.append(("all", *(str(total[verdict]) for verdict in Verdict)))
    return table(
        _COLUMNS, [tuple(Text(cell) for cell in row) for row in rows], right=_COLUMNS[1:], title="Mutants"
    )


def found(results: Sequence[Result]) -> Iterator[Text]:
    """Each mutant that was not killed, with all that helps to find it."""
    for result in results:
        if result.verdict in _GOOD:
            continue
        mutant = result.mutant
        yield Text(
            f"{result.verdict}: {mutant.requirement} {mutant.breaks} ({mutant.listed_in})", style="red"
        )
        if result.why:
            yield Text(f"  {result.why}")
        yield Text(f"  {mutant.file}: {mutant.find!r} became {mutant.replace!r}")
        yield Text(f"  tests: {', '.join(mutant.tests)}")
