"""Use cases of jobs on a server."""

from collections.abc import Mapping
from typing import Any

from outrider.errors import Conflict, NotFound
from outrider.jobs.figures import JobFigures
from outrider.jobs.filter import JobFilter
from outrider.jobs.job_stats import JobStats
from outrider.jobs.model import Interval
from outrider.jobs.operate import JobChanges
from outrider.remote.lists import read_list, read_only_item
from outrider.remote.scheduler import scheduler_status
from outrider.remote.server import Server
from outrider.services.jobs.changes import NO_MATCH, JobResults, JobSelection, JobVerb
from outrider.services.jobs.jobs import JobDetails, JobReport, JobRequest
from outrider.services.jobs.runs import LAST_RUNS, JobRun
from outrider.services.paging import ListPage, PageRequest

JOBS = "/api/v1/jobs"
_OF_ONE_JOB = (JobVerb.PAUSE, JobVerb.RESUME, JobVerb.CANCEL, JobVerb.RETRY)


async def list_jobs(
    server: Server, wanted: JobFilter, page: PageRequest, source: str = ""
) -> ListPage[JobDetails]:
    """See `services.jobs.list_jobs`."""
    query = {
        "status": ",".join(wanted.statuses),
        "search": wanted.search,
        "source_id": source,
        "label": wanted.label,
        "source_pattern": wanted.source_pattern,
        "sort_by": wanted.sort,
        "sort_order": "desc" if wanted.descending else "asc",
    }
    return await read_list(server, JobDetails, JOBS, query, page)


async def show_job(server: Server, named: str) -> JobReport:
    """See `services.jobs.show_job`."""
    details = await _find(server, named)
    path = _path(details)
    stats = await server.get(JobStats, f"{path}/stats")
    runs = await read_list(server, JobRun, f"{path}/executions", {}, PageRequest(LAST_RUNS))
    return JobReport(details, stats, runs.items)


async def job_history(server: Server, named: str, page: PageRequest) -> ListPage[JobRun]:
    """See `services.job_history.job_history`."""
    path = _path(await _find(server, named))
    return await read_list(server, JobRun, f"{path}/executions", {}, page)


async def stats_of_job(server: Server, named: str) -> JobStats:
    """See `services.job_history.stats_of_job`."""
    return await server.get(JobStats, f"{_path(await _find(server, named))}/stats")


async def figures_of_jobs(server: Server) -> JobFigures:
    """See `services.job_history.figures_of_jobs`."""
    return (await scheduler_status(server)).figures


async def add_job(server: Server, request: JobRequest) -> JobDetails:
    """See `services.jobs.add_job`."""
    body = {
        "source_id": request.source,
        **_interval(request.every),
        "priority": request.priority,
        "adaptive_scheduling": request.adaptive,
        "max_retries": request.max_retries,
        "retry_backoff_seconds": request.retry_backoff_seconds,
        "metadata": dict(request.metadata),
    }
    return await server.post(JobDetails, JOBS, _given(body))


async def change_job(
    server: Server, named: str, verb: JobVerb, changes: JobChanges | None = None
) -> JobDetails:
    """See `services.job_changes.change_job`."""
    details = await _find(server, named)
    path = _path(details)
    if verb in _OF_ONE_JOB:
        return await server.post(JobDetails, f"{path}/{verb.value}")
    if verb is JobVerb.EDIT:
        return await server.call(JobDetails, "PUT", path, _changes(changes or JobChanges()))
    if verb is JobVerb.REMOVE:
        await server.send("DELETE", path)
        return details
    done = await server.post(
        JobResults, f"{JOBS}/bulk", {"verb": verb.value, "ids": [str(details.job.job_id)]}
    )
    [result] = done.jobs
    if result.error is not None:
        raise Conflict(result.error)
    return await _find(server, str(result.number))


async def change_jobs(
    server: Server,
    selection: JobSelection,
    verb: JobVerb,
    changes: JobChanges | None = None,
    *,
    dry_run: bool = False,
) -> JobResults:
    """See `services.job_changes.change_jobs`."""
    body: dict[str, Any] = {
        "verb": verb.value,
        "ids": list(selection.named),
        "label": selection.label,
        "source_pattern": selection.source_pattern,
        "states": [each.value for each in selection.statuses],
        "all": selection.everything,
        "changes": None if changes is None else _changes(changes),
        "dry_run": dry_run,
    }
    return await server.post(JobResults, f"{JOBS}/bulk", _given(body))


async def count_selected(server: Server, selection: JobSelection) -> int:
    """See `services.job_changes.count_selected`."""
    if selection.named:
        return len(selection.named)
    wanted = JobFilter(selection.statuses, label=selection.label, source_pattern=selection.source_pattern)
    found = await list_jobs(server, wanted, PageRequest(1))
    if not found.total:
        raise NotFound(NO_MATCH)
    return found.total


async def _find(server: Server, named: str) -> JobDetails:
    return await read_only_item(server, JobDetails, JOBS, named)


def _path(details: JobDetails) -> str:
    return f"{JOBS}/{details.job.job_id}"


def _changes(changes: JobChanges) -> dict[str, Any]:
    return _given(
        {
            **_interval(changes.every),
            "priority": changes.priority,
            "adaptive_scheduling": changes.adaptive,
            "max_retries": changes.max_retries,
            "retry_backoff_seconds": changes.retry_backoff_seconds,
            "metadata": changes.metadata,
        }
    )


def _interval(every: Interval | None) -> dict[str, Any]:
    return {} if every is None else {"interval_minutes": every.count, "interval_type": every.unit.value}


def _given(body: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in body.items() if value is not None}
