"""Runs one simulation or several, and prints the report."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from outrider import logs
from outrider.cli.output import print_json, show
from outrider.cli.simulate.compare import compared, gathered
from outrider.cli.simulate.policy_options import PolicyOptions
from outrider.cli.simulate.progress import progress_bar
from outrider.cli.simulate.report import shown
from outrider.cli.simulate.resource_usage import report_resource_usage
from outrider.errors import InvalidInput
from outrider.settings import Settings
from outrider.simulate.database import own_database
from outrider.simulate.plan import SimulationPlan
from outrider.simulate.report import Report, report_of
from outrider.simulate.run import simulate


def simulate_and_report(
    policy_options: PolicyOptions,
    plan: SimulationPlan,
    *,
    seeds: int,
    changes: Mapping[str, str],
    data: Path | None,
    config: Path | None,
    json: bool,
) -> bool:
    """Simulate and print the report; False after an impolite request. `changes` make a second policy."""
    tried = [policy_options, policy_options.changed(changes)] if changes else [policy_options]
    # All are checked before the first one runs, so that a typo is reported at once.
    policies = [each.in_full(config) for each in tried]
    runs = [
        (replace(plan, seed=plan.seed + place, policy=policy), settings)
        for policy, settings in policies
        for place in range(seeds)
    ]
    if data is not None and len(runs) > 1:
        raise InvalidInput(f"{len(runs)} simulations: --data can keep only one database")
    reports = []
    with report_resource_usage():
        for number, (its_plan, settings) in enumerate(runs, start=1):
            title = f"{number} of {len(runs)}, " if len(runs) > 1 else ""
            reports.append(_report(its_plan, settings, data, title))
        _tell(reports, seeds, changes, json=json)
    return not any(report.politeness.violations for report in reports)


def _tell(reports: list[Report], seeds: int, changes: Mapping[str, str], *, json: bool) -> None:
    if json:
        print_json(reports[0].as_data() if len(reports) == 1 else [report.as_data() for report in reports])
    elif changes:
        show(compared(reports[:seeds], reports[seeds:], changes))
    else:
        show(shown(reports[0]) if seeds == 1 else gathered(reports))


def _report(plan: SimulationPlan, settings: Settings, data: Path | None, title: str) -> Report:
    logs.set_up(settings.logs, service="simulate")
    with own_database(data) as dsn, progress_bar(plan, title) as progress:
        return report_of(simulate(plan, settings, dsn, progress), settings)
