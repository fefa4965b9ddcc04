"""Several simulations in one table: two policies side by side, each on one web or on several."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from statistics import median_low

from rich.console import Group, RenderableType
from rich.text import Text

from outrider.cli.output import table
from outrider.cli.show.facts import facts
from outrider.cli.simulate.words import days, percent, policy_facts, time, verdict
from outrider.simulate.figures import ValueSpread
from outrider.simulate.knowledge import Coverage
from outrider.simulate.report import Report
from outrider.wording import count, plural, size

NOTHING = "-"


class Change(Enum):
    """The unit of the difference between two figures."""

    RATIO = " %"
    POINTS = " points"  # percentage points of a share
    NUMBER = ""  # of a count that should be zero


@dataclass(frozen=True, slots=True)
class FigureLine:
    """One figure of a report; None where there was nothing to measure."""

    name: str
    figure: Callable[[Report], float | None]
    say: Callable[[float], str]
    change: Change = Change.RATIO

    def difference(self, before: Report, after: Report) -> float | None:
        first, second = self.figure(before), self.figure(after)
        if first is None or second is None:
            return None
        match self.change:
            case Change.NUMBER:
                return second - first
            case Change.POINTS:
                return (second - first) * 100
        return (second - first) / first * 100 if first else None

    def say_difference(self, difference: float) -> str:
        said = f"{difference:+.{1 if self.change is Change.POINTS else 0}f}"
        return said if float(said) else "0"


def compared(
    befores: Sequence[Report], afters: Sequence[Report], changes: Mapping[str, str]
) -> RenderableType:
    """Two policies on the same webs, line by line."""
    changed = ",\n".join(f"{name}={value}" for name, value in changes.items())
    pairs = list(zip(befores, afters, strict=True))
    rows = [
        (
            line.name,
            _range([line.figure(before) for before in befores], line.say),
            _range([line.figure(after) for after in afters], line.say),
            _range([line.difference(*pair) for pair in pairs], line.say_difference, line.change.value),
        )
        for line in _LINES
    ]
    columns = ("as it was", changed, "change")
    is_same = all(replace(after, plan=before.plan) == before for before, after in pairs)
    return Group(
        _head(befores),
        table(("", *columns), rows, right=columns, whole=("",)),
        *([Text("There is no difference. Does this setting have an effect on this web?")] if is_same else []),
        *_complaints(befores, "As it was"),
        *_complaints(afters, "Changed"),
    )


def gathered(reports: Sequence[Report]) -> RenderableType:
    """One policy on several webs: the range of each figure."""
    columns = ("median", "least", "most")
    rows = []
    for line in _LINES:
        figures = [figure for report in reports if (figure := line.figure(report)) is not None]
        told = [line.say(pick(figures)) for pick in (median_low, min, max)] if figures else [NOTHING] * 3
        rows.append((line.name, *told))
    return Group(
        _head(reports),
        table(("", *columns), rows, right=columns, whole=("",)),
        *_complaints(reports, "As it is"),
    )


def _head(reports: Sequence[Report]) -> RenderableType:
    plan, last = reports[0].plan, reports[-1].plan
    seeds = f"seed {plan['seed']}" if len(reports) == 1 else f"seeds {plan['seed']} to {last['seed']}"
    simulated = f"{plural(plan['hosts'], 'site')} for {days(plan)}, {seeds}"
    return facts([("simulated", simulated), *policy_facts(plan)])


def _range(figures: Sequence[float | None], say: Callable[[float], str], unit: str = "") -> str:
    """The least and the largest figure; empty if one is missing, because the range would mislead."""
    known = [figure for figure in figures if figure is not None]
    if len(known) < len(figures):
        return NOTHING
    least, most = say(min(known)), say(max(known))
    return f"{least}{unit}" if least == most else f"{least} to {most}{unit}"


def _complaints(reports: Sequence[Report], which: str) -> list[Text]:
    return [
        Text(f"{which}, seed {report.plan['seed']}: {verdict(report.politeness)}", style="bold red")
        for report in reports
        if report.politeness.violations
    ]


def _whole(number: float) -> str:
    return count(round(number))


def _rate(number: float) -> str:
    return f"{number:g}"


def _median(spread: ValueSpread) -> float | None:
    return spread.median if spread.count else None


def _p95(spread: ValueSpread) -> float | None:
    return spread.p95 if spread.count else None


def _known(part: Coverage) -> float | None:
    return part.known_share if part.articles else None


def _fetched(part: Coverage) -> float | None:
    return part.fetched_share if part.articles else None


_LINES = (
    FigureLine("requests", lambda report: report.politeness.requests, _whole),
    FigureLine("busiest site, a day", lambda report: report.budget.busiest_a_day, _rate),
    FigureLine("violations", lambda report: report.politeness.violations, _whole, Change.NUMBER),
    FigureLine("wasted requests", lambda report: report.budget.wasted_share, percent, Change.POINTS),
    FigureLine("new articles known", lambda report: _known(report.new_articles), percent, Change.POINTS),
    FigureLine("new articles fetched", lambda report: _fetched(report.new_articles), percent, Change.POINTS),
    FigureLine("seen after, median", lambda report: _median(report.freshness.seen_after_s), time),
    FigureLine("seen after, 95 of 100", lambda report: _p95(report.freshness.seen_after_s), time),
    FigureLine("fetched after, median", lambda report: _median(report.freshness.fetched_after_s), time),
    FigureLine(
        "copies still true",
        lambda report: report.freshness.current_share if report.freshness.copies else None,
        percent,
        Change.POINTS,
    ),
    FigureLine(
        "mean age of a copy",
        lambda report: report.freshness.age_s.mean if report.freshness.copies else None,
        time,
    ),
    FigureLine("requests into traps", lambda report: report.traps.requests, _whole),
    FigureLine(
        "asked of a dead site a day",
        lambda report: report.dead.requests_a_day if report.dead.sites else None,
        _rate,
    ),
    FigureLine("bytes", lambda report: report.budget.wire_bytes, size),
)
