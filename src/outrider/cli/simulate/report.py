"""The report of a simulation as people read it, alone or beside another."""

from collections.abc import Callable, Iterator, Mapping

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from outrider.cli.output import table
from outrider.cli.show.facts import facts
from outrider.cli.show.human import bar, count, plural, size, span
from outrider.simulate.figures import Spread, share
from outrider.simulate.knowledge import Coverage
from outrider.simulate.report import Report

BAR_WIDTH = 20

Line = tuple[str, Callable[[Report], object]]


def shown(report: Report) -> RenderableType:
    """One simulation."""
    return Group(
        facts(_facts(report)),
        _ways(report),
        _shares("where requests went", report.budget.by_kind),
        _shares("what they brought", report.budget.brought),
        _kinds(report),
        Text(_verdict(report), style="green" if report.politeness.violations == 0 else "bold red"),
    )


def compared(before: Report, after: Report, changes: str) -> RenderableType:
    """Two of the same web, line by line; many changes stand one below the other."""
    changed = ",\n".join(piece.strip() for piece in changes.split(","))
    rows = [
        (name, _said(figure(before)), _said(figure(after)), _difference(figure(before), figure(after)))
        for name, figure in _LINES
    ]
    columns = ("as it was", changed, "change")
    return table(("", *columns), rows, right=columns, whole=("",))


def percent(part: float) -> str:
    return f"{part * 100:.1f} %"


_LINES: tuple[Line, ...] = (
    ("requests", lambda report: report.politeness.requests),
    ("busiest site, a day", lambda report: f"{report.budget.busiest_a_day:g}"),
    ("violations", lambda report: report.politeness.violations),
    ("wasted requests", lambda report: percent(report.budget.wasted_share)),
    ("new articles known", lambda report: percent(report.new_articles.known_share)),
    ("new articles fetched", lambda report: percent(report.new_articles.fetched_share)),
    ("seen after, median", lambda report: _time(report.freshness.seen_after_s.median)),
    ("seen after, 95 of 100", lambda report: _time(report.freshness.seen_after_s.p95)),
    ("fetched after, median", lambda report: _time(report.freshness.fetched_after_s.median)),
    ("copies still true", lambda report: percent(report.freshness.current_share)),
    ("mean age of a copy", lambda report: _time(report.freshness.age_s.mean)),
    ("requests into traps", lambda report: report.traps.requests),
    ("asked of a dead site a day", lambda report: f"{report.dead.requests_a_day:g}"),
    ("bytes", lambda report: size(report.budget.wire_bytes)),
)


def _facts(report: Report) -> Iterator[tuple[str, object]]:
    plan, freshness, budget = report.plan, report.freshness, report.budget
    days = "1 day" if plan["days"] == 1 else f"{plan['days']:g} days"
    yield "simulated", f"{plural(plan['hosts'], 'site')} for {days}, seed {plan['seed']}"
    yield (
        "requests",
        f"{count(budget.requests)} to {plural(report.politeness.hosts, 'host')}, {size(budget.wire_bytes)}",
    )
    yield (
        "a day",
        f"{count(round(budget.requests_a_day))}; the busiest site, {budget.busiest_host or 'none'}, "
        f"gets {budget.busiest_a_day:g}",
    )
    yield "violations", count(report.politeness.violations)
    yield "new articles", _covered(report.new_articles)
    yield "older ones", _covered(report.old_articles)
    yield "seen after", _spread(freshness.seen_after_s)
    yield "fetched after", _spread(freshness.fetched_after_s)
    yield "copies", f"{count(freshness.copies)}, {percent(freshness.current_share)} still true"
    yield "their age", _spread(freshness.age_s)
    yield "waste", f"{percent(budget.wasted_share)} of requests brought nothing new"
    yield from _hardships(report)


def _hardships(report: Report) -> Iterator[tuple[str, object]]:
    """What this web does not have is not spoken of."""
    traps, mirrors, dead = report.traps, report.mirrors, report.dead
    if traps.calendars or traps.mazes:
        yield (
            "traps",
            f"{traps.recognised} of {plural(traps.calendars, 'calendar')} recognised; with "
            f"{plural(traps.mazes, 'maze')} {plural(traps.requests, 'request')}, at most "
            f"{count(traps.most_on_one_site)} on one site",
        )
    if mirrors.sites:
        yield (
            "mirrors",
            f"{plural(mirrors.sites, 'site')}: {count(mirrors.recognised)} of "
            f"{plural(mirrors.pages, 'page')} recognised as another's",
        )
    if dead.sites:
        yield (
            "dead sites",
            f"{plural(dead.sites, 'site')}, asked {dead.requests_a_day:g} times a day while silent; "
            f"{dead.found_again} of {dead.came_back} that came back were found again",
        )


def _covered(part: Coverage) -> str:
    return f"{count(part.articles)}: {percent(part.known_share)} known, {percent(part.fetched_share)} fetched"


def _spread(spread: Spread) -> str:
    if not spread.count:
        return "nothing to measure"
    return f"{_time(spread.median)} (median), {_time(spread.p95)} (95 of 100), {_time(spread.mean)} (mean)"


def _time(seconds: float) -> str:
    return span(seconds) if seconds else "0"


def _ways(report: Report) -> Table:
    rows = (
        (way, count(spread.count), _time(spread.median), _time(spread.p95), _time(spread.mean))
        for way, spread in report.freshness.by_way.items()
    )
    columns = ("seen first by", "articles", "median", "95 of 100", "mean")
    return table(columns, rows, right=columns[1:])


def _shares(title: str, parts: Mapping[str, int]) -> Table:
    total = sum(parts.values())
    rows = (
        (
            name,
            count(number),
            percent(share(number, total)),
            Text(bar(share(number, total), BAR_WIDTH), "cyan"),
        )
        for name, number in parts.items()
        if number
    )
    return table((title, "requests", "share", ""), rows, right=("requests", "share"))


def _kinds(report: Report) -> Table:
    rows = (
        (
            name,
            count(kind.sites),
            count(kind.requests),
            f"{kind.requests_a_site:g}",
            percent(kind.wasted_share),
        )
        for name, kind in report.kinds.items()
    )
    columns = ("kind of site", "sites", "requests", "a site", "wasted")
    return table(columns, rows, right=columns[1:])


def _verdict(report: Report) -> str:
    politeness = report.politeness
    if politeness.violations == 0:
        return (
            "Polite: no site was asked too early, twice at once, against its robots.txt, or before its "
            "Retry-After was over."
        )
    broken = ", ".join(f"{rule}: {count(times)}" for rule, times in politeness.by_rule.items() if times)
    return "\n".join([f"{plural(politeness.violations, 'violation')} ({broken})", *politeness.examples])


def _said(figure: object) -> str:
    return count(figure) if isinstance(figure, int) else str(figure)


def _difference(before: object, after: object) -> str:
    if not isinstance(before, int) or not isinstance(after, int) or not before:
        return ""
    return f"{(after - before) / before * 100:+.0f} %"
