"""Progress of a simulation: the virtual date, the requests so far, and the time left."""

from collections.abc import Iterator
from contextlib import contextmanager

from outrider.cli.output import errors
from outrider.simulate.plan import SimulationPlan
from outrider.simulate.run import Progress
from outrider.simulate.sites import START
from outrider.simulate.virtual_time import VirtualClock
from outrider.wording import count

# The first virtual hours take as long as later days, so only the last seconds estimate the rest.
LOOKS_BACK_S = 10.0


@contextmanager
def progress_bar(plan: SimulationPlan, title: str) -> Iterator[Progress]:
    """A progress line on a terminal; nothing if standard error is no terminal."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    clock = VirtualClock(START)
    out = errors()
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        TextColumn("{task.fields[requests]}"),
        TimeElapsedColumn(),
        TextColumn("left", style="dim"),
        TimeRemainingColumn(compact=True),
        console=out,
        transient=True,
        disable=not out.is_terminal,
        speed_estimate_period=LOOKS_BACK_S,
    ) as bar:
        task = bar.add_task(f"{title}building the web", total=plan.lasts_s, requests="")

        def advance(elapsed_s: float, requests: int) -> None:
            bar.update(
                task,
                completed=elapsed_s,
                description=f"{title}{clock.at(elapsed_s):%a %d %b %H:%M}",
                requests=f"{count(requests)} requests",
            )

        yield advance
