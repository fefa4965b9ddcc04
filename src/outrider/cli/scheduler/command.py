"""`outrider scheduler`: run a scheduler in the foreground, see its state, and spread jobs over the day."""

import typer

from outrider.cli.commands import submenu
from outrider.cli.options import Config, Data, DryRun, Json
from outrider.cli.output import print_json
from outrider.cli.running import load_settings, run
from outrider.cli.scheduler.report import show_distribution_report, show_rebalance, show_status
from outrider.cli.scheduler.run import schedule_until_stopped
from outrider.cli.use_case import call, change
from outrider.remote import scheduler as remote_scheduler
from outrider.services.as_json import as_json
from outrider.services.jobs.scheduler import rebalance_jobs, scheduler_status, show_distribution


def run_alone(context: typer.Context, json: Json = False, data: Data = None, config: Config = None) -> None:
    """Run the scheduler alone, or show its state.

    Without a subcommand it starts due jobs and watches their runs, until Ctrl-C or SIGTERM. `outrider watch`
    runs a scheduler, too, and fetches the pages.
    """
    if context.invoked_subcommand is None:
        run(schedule_until_stopped(load_settings(config, data=data), json=json))


def status(json: Json = False, data: Data = None, config: Config = None) -> None:
    """Show the schedulers that run, the figures of jobs and runs, and what needs a look."""
    loaded = load_settings(config, data=data)
    found = call(
        loaded,
        lambda db: scheduler_status(db, loaded.settings.jobs),
        remote=remote_scheduler.scheduler_status,
    )
    print_json(as_json(found)) if json else show_status(found)


def distribution(json: Json = False, data: Data = None, config: Config = None) -> None:
    """Show how evenly jobs are spread over the hours of the day."""
    loaded = load_settings(config, data=data)
    found = call(
        loaded,
        lambda db: show_distribution(db, loaded.settings.jobs),
        remote=remote_scheduler.show_distribution,
    )
    print_json(as_json(found)) if json else show_distribution_report(found)


def rebalance(dry_run: DryRun = False, json: Json = False, data: Data = None, config: Config = None) -> None:
    """Move jobs to less loaded times. Jobs that run, run soon or were just placed stay."""
    loaded = load_settings(config, data=data)
    found = change(
        loaded,
        lambda db: rebalance_jobs(db, loaded.settings.jobs, dry_run=dry_run),
        remote=lambda server: remote_scheduler.rebalance_jobs(server, dry_run=dry_run),
    )
    print_json(as_json(found)) if json else show_rebalance(found)


scheduler = submenu(
    "scheduler", {"status": status, "distribution": distribution, "rebalance": rebalance}, alone=run_alone
)
