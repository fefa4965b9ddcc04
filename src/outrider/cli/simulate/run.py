"""Runs one simulation, or two to compare, behind a progress bar."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path

from outrider import logs
from outrider.cli.output import errors, print_json, show
from outrider.cli.running import load_settings
from outrider.cli.show.human import count
from outrider.cli.simulate.report import compared, shown
from outrider.cli.times import seconds_of
from outrider.errors import InvalidInput
from outrider.settings import Settings
from outrider.simulate.database import own_database
from outrider.simulate.mix import USUAL, read_mix
from outrider.simulate.plan import Plan, Policy
from outrider.simulate.report import Report, report_of
from outrider.simulate.run import Progress, simulate
from outrider.simulate.sites import DAY_S, START
from outrider.simulate.virtual_time import VirtualClock
from outrider.sources.model import Mode


@dataclass(frozen=True, slots=True)
class Choices:
    """The policy as people say it; None leaves it to the settings."""

    delay: str | None
    poll: str
    sitemap_poll: str
    mode: str
    revisit: str | None

    def changed(self, text: str) -> "Choices":
        """With changes like `poll=30m,delay=2s`."""
        known = {field.name for field in fields(self)}
        changes = {}
        for piece in text.split(","):
            name, equals, value = (part.strip() for part in piece.partition("="))
            if name.replace("-", "_") not in known or not equals or not value:
                names = ", ".join(sorted(known))
                raise InvalidInput(f"--compare {piece!r}: write NAME=VALUE, with a name of {names}")
            changes[name.replace("-", "_")] = value
        return replace(self, **changes)

    def policy(self) -> Policy:
        try:
            return Policy(
                mode=Mode(self.mode),
                poll_s=_within(self.poll, 60, 7 * DAY_S),
                sitemap_poll_s=_within(self.sitemap_poll, 300, 30 * DAY_S),
                revisit_s=None if self.revisit is None else _within(self.revisit, 3600, 366 * DAY_S),
            )
        except ValueError as error:
            raise InvalidInput(str(error)) from error

    def settings(self, config: Path | None) -> Settings:
        return load_settings(config, delay=self.delay, log_level="error").settings


def simulate_and_tell(
    choices: Choices,
    *,
    hosts: int,
    days: float,
    seed: int,
    workers: int,
    mix_file: Path | None,
    changes: str | None,
    data: Path | None,
    config: Path | None,
    json: bool,
) -> None:
    mix = USUAL if mix_file is None else read_mix(mix_file)
    plan = Plan(hosts, days, seed, workers, mix, choices.policy())
    tried = [choices] if changes is None else [choices, choices.changed(changes)]
    plans = [replace(plan, policy=each.policy()) for each in tried]  # wrong ones are found before any is run
    if data is not None and len(tried) > 1:
        raise InvalidInput("--compare simulates twice: there is no one database for --data to keep")
    reports = []
    for each, its_plan in zip(tried, plans, strict=True):
        reports.append(_report(its_plan, each.settings(config), data))
    if json:
        print_json(reports[0].as_data() if changes is None else [report.as_data() for report in reports])
    else:
        show(shown(reports[0]) if changes is None else compared(reports[0], reports[1], changes))


def _report(plan: Plan, settings: Settings, data: Path | None) -> Report:
    logs.set_up(settings.logs, service="simulate")
    with own_database(data) as dsn, _progress(plan) as progress:
        return report_of(simulate(plan, settings, dsn, progress), settings)


@contextmanager
def _progress(plan: Plan) -> Iterator[Progress]:
    """A bar with the virtual date, where somebody can see it."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[requests]}"))
    clock = VirtualClock(START)
    out = errors()
    with Progress(
        *columns, TimeElapsedColumn(), console=out, transient=True, disable=not out.is_terminal
    ) as bar:
        task = bar.add_task(f"{START:%a %d %b %H:%M}", total=plan.lasts_s, requests="")

        def advance(elapsed_s: float, requests: int) -> None:
            bar.update(
                task,
                completed=elapsed_s,
                description=f"{clock.at(elapsed_s):%a %d %b %H:%M}",
                requests=f"{count(requests)} requests",
            )

        yield advance


def _within(text: str, least_s: float, most_s: float) -> float:
    seconds = seconds_of(text)
    if not least_s <= seconds <= most_s:
        raise ValueError(f"{text!r} is out of bounds: from {least_s:g} to {most_s:g} seconds are possible")
    return seconds
