"""`outrider source sync`: make sure that every enabled source has a running job."""

import typer

from outrider.cli.database import has_database
from outrider.cli.options import Config, Data, Json
from outrider.cli.output import FAILED, plain, print_json, say, show
from outrider.cli.running import load_settings
from outrider.cli.use_case import call
from outrider.jobs.reconcile import NOTHING_WATCHED, ReconcileCounts
from outrider.remote import sources as remote_sources
from outrider.services.as_json import as_json
from outrider.services.jobs.jobs import sync_jobs
from outrider.wording import count, plural


def sync(json: Json = False, data: Data = None, config: Config = None) -> None:
    """Make sure that every enabled source has a running job; paused jobs are resumed."""
    loaded = load_settings(config, data=data)

    is_balanced = loaded.settings.jobs.balancing
    done = NOTHING_WATCHED
    if has_database(loaded):
        done = call(
            loaded,
            lambda db: sync_jobs(db, is_balanced=is_balanced),
            remote=remote_sources.sync_jobs,
            may_create=True,
        )
    if json:
        print_json(as_json(done))
    else:
        show(plain(sentence(done)))
    for error in done.errors:
        say(error)
    if done.errors:
        raise typer.Exit(FAILED)


def sentence(done: ReconcileCounts) -> str:
    """The report as a sentence."""
    ends = (
        (done.created, "job made", "jobs made"),
        (done.resumed, "resumed", "resumed"),
        (done.already_has_job, "already there", "already there"),
        (len(done.errors), "failed", "failed"),
    )
    said = [f"{count(number)} {one if number == 1 else many}" for number, one, many in ends if number]
    enabled = f"{plural(done.sources_enabled, 'enabled source')}: {', '.join(said) or 'nothing to do'}."
    if not done.skipped_disabled:
        return enabled
    return f"{enabled} {plural(done.skipped_disabled, 'disabled source')} left alone."
