"""`outrider workers`: list worker processes and their health."""

from datetime import UTC, datetime

from outrider.cli.database import has_database
from outrider.cli.options import Config, Data, Json
from outrider.cli.output import plain, print_json, show, table
from outrider.cli.running import load_settings
from outrider.cli.use_case import call
from outrider.remote import crawl
from outrider.services.as_json import as_json
from outrider.services.operations.workers import WorkerPool, WorkerSummary, list_workers
from outrider.wording import brief, count, plural, rate

_COLUMNS = ("worker", "machine", "pid", "status", "pages", "pages/s", "since", "heartbeat", "current URL")
_NONE = "No worker runs: `outrider crawl` and `outrider watch` start workers."


def workers(json: Json = False, data: Data = None, config: Config = None) -> None:
    """List worker processes, what they do and their health: those of all machines."""
    loaded = load_settings(config, data=data)
    found = WorkerPool(None, 0, 0, [])
    if has_database(loaded):
        found = call(loaded, list_workers, remote=crawl.list_workers, may_create=True)
    print_json(as_json(found)) if json else _show(found)


def _show(found: WorkerPool) -> None:
    if found.health is None:
        show(plain(_NONE))
        return
    now = datetime.now(UTC)
    rows = (_row(worker, now) for worker in found.workers)
    show(table(_COLUMNS, rows, right=("pid", "pages", "pages/s"), whole=("status", "since", "heartbeat")))
    alive = plural(found.total, "worker is", "workers are")
    show(plain(f"{found.health.value}: {count(found.live)} of {alive} alive."))


def _row(worker: WorkerSummary, now: datetime) -> tuple[object, ...]:
    return (
        worker.name,
        worker.machine,
        worker.pid,
        worker.status.value,
        count(worker.pages),
        rate(worker.pages_per_s),
        brief(max((now - worker.started_at).total_seconds(), 0)),
        f"{brief(worker.silent_s)} ago",
        "\n".join(worker.current_urls),
    )
