"""Print the report of one simulation."""

from collections.abc import Iterator, Mapping

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from outrider.cli.output import table
from outrider.cli.show.facts import facts
from outrider.cli.simulate.words import days, percent, policy_facts, time, verdict
from outrider.simulate.figures import ValueSpread, share
from outrider.simulate.job_figures import SimulatedJobFigures
from outrider.simulate.knowledge import Coverage
from outrider.simulate.report import Report
from outrider.wording import bar, count, plural, size

BAR_WIDTH = 20


def shown(report: Report) -> RenderableType:
    return Group(
        facts(_facts(report)),
        *_ways(report),
        _shares("where requests went", report.budget.by_kind),
        _shares("what they brought", report.budget.brought),
        _kinds(report),
        *_job_intervals(report),
        Text(verdict(report.politeness), style="green" if report.politeness.violations == 0 else "bold red"),
    )


def _facts(report: Report) -> Iterator[tuple[str, object]]:
    plan, freshness, budget = report.plan, report.freshness, report.budget
    yield "simulated", f"{plural(plan['hosts'], 'site')} for {days(plan)}, seed {plan['seed']}"
    yield from policy_facts(plan)
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
    if freshness.copies:
        yield "copies", f"{count(freshness.copies)}, {percent(freshness.current_share)} still true"
        yield "their age", _spread(freshness.age_s)
    else:
        yield "copies", "none: no article was fetched"
    yield "waste", f"{percent(budget.wasted_share)} of requests brought nothing new"
    yield from _difficult_sites(report)
    if report.jobs is not None:
        yield from _jobs(report.jobs)


def _jobs(jobs: SimulatedJobFigures) -> Iterator[tuple[str, object]]:
    """Runs, slots that were skipped, and how evenly the slots of the day are used."""
    ended = ", ".join(f"{count(number)} {status}" for status, number in jobs.by_status.items() if number)
    left = ", ".join(f"{reason} {count(number)}" for reason, number in jobs.not_moved.items())
    yield (
        "jobs",
        f"{plural(jobs.jobs, 'job')}: {plural(jobs.runs, 'run')}, "
        f"{count(jobs.runs_at_fixed_intervals)} at fixed intervals",
    )
    yield "runs", f"{ended or 'none'}; {count(jobs.retries)} of them retries"
    yield "skipped slots", f"{count(jobs.skipped_slots)} passed while the run before went on"
    yield "intervals", f"{count(jobs.stretched)} of {plural(jobs.jobs, 'job')} stretched, up to 24 hours"
    yield (
        "distribution",
        f"{jobs.score_before:.3f} before a rebalance, {jobs.score_after:.3f} after it; "
        f"{plural(jobs.moved, 'job')} moved; left alone: {left or 'none'}",
    )


def _job_intervals(report: Report) -> Iterator[Table]:
    """Jobs by their interval at the end; no table without jobs."""
    if report.jobs is not None and report.jobs.jobs:
        rows = (
            (name, count(number), Text(bar(share(number, report.jobs.jobs), BAR_WIDTH), "cyan"))
            for name, number in report.jobs.intervals.items()
        )
        yield table(("interval at the end", "jobs", ""), rows, right=("jobs",))


def _difficult_sites(report: Report) -> Iterator[tuple[str, object]]:
    """Traps, mirrors and dead sites; a line only if this web has them."""
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
        found = f"{dead.found_again} of {dead.came_back} that came back were found again"
        yield (
            "dead sites",
            f"{plural(dead.sites, 'site')}, asked {dead.requests_a_day:g} times a day while silent; "
            f"{found if dead.came_back else 'none came back'}",
        )


def _covered(part: Coverage) -> str:
    if not part.articles:
        return "none"
    return f"{count(part.articles)}: {percent(part.known_share)} known, {percent(part.fetched_share)} fetched"


def _spread(spread: ValueSpread) -> str:
    if not spread.count:
        return "nothing to measure"
    return f"{time(spread.median)} (median), {time(spread.p95)} (95 of 100), {time(spread.mean)} (mean)"


def _ways(report: Report) -> Iterator[Table]:
    """Articles by discovery method; no table if none was seen."""
    rows = [
        (way, count(spread.count), time(spread.median), time(spread.p95), time(spread.mean))
        for way, spread in report.freshness.by_way.items()
    ]
    columns = ("seen first by", "articles", "median", "95 of 100", "mean")
    if rows:
        yield table(columns, rows, right=columns[1:])


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
