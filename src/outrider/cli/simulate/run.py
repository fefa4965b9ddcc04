"""Runs one simulation, or two to compare, and tells what came of it."""

from dataclasses import replace
from pathlib import Path

from outrider import logs
from outrider.cli.output import print_json, show
from outrider.cli.simulate.choices import Choices
from outrider.cli.simulate.progress import progress_bar
from outrider.cli.simulate.report import compared, shown
from outrider.errors import InvalidInput
from outrider.settings import Settings
from outrider.simulate.database import own_database
from outrider.simulate.mix import USUAL, read_mix
from outrider.simulate.plan import Plan
from outrider.simulate.report import Report, report_of
from outrider.simulate.run import simulate


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
) -> bool:
    """Whether nobody was treated rudely."""
    mix = USUAL if mix_file is None else read_mix(mix_file)
    plan = Plan(hosts, days, seed, workers, mix, choices.policy())
    tried = [choices] if changes is None else [choices, choices.changed(changes)]
    # All of them before the first is run: nobody waits a minute to hear of a slip of the pen.
    runs = [(replace(plan, policy=each.policy()), each.settings(config)) for each in tried]
    if data is not None and len(tried) > 1:
        raise InvalidInput("--compare simulates twice: there is no one database for --data to keep")
    reports = []
    for number, (its_plan, settings) in enumerate(runs, start=1):
        title = "" if changes is None else f"{number} of {len(runs)}, "
        reports.append(_report(its_plan, settings, data, title))
    if json:
        print_json(reports[0].as_data() if changes is None else [report.as_data() for report in reports])
    else:
        show(shown(reports[0]) if changes is None else compared(reports[0], reports[1], changes))
    return not any(report.politeness.violations for report in reports)


def _report(plan: Plan, settings: Settings, data: Path | None, title: str) -> Report:
    logs.set_up(settings.logs, service="simulate")
    with own_database(data) as dsn, progress_bar(plan, title) as progress:
        return report_of(simulate(plan, settings, dsn, progress), settings)
