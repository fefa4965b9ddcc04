"""Use cases of runs on a server."""

import asyncio
import time

from outrider.remote.lists import read_list
from outrider.remote.server import Server
from outrider.runs.listing import RunStats
from outrider.services.paging import ListPage, PageRequest
from outrider.services.runs.details import RunDetails, RunState, RunSummary
from outrider.services.runs.runs import CANCEL_WAIT_S, RunFilter, checked_run_name

RUNS = "/api/v1/runs"
LOOK_S = 0.5


async def list_runs(server: Server, wanted: RunFilter, page: PageRequest) -> ListPage[RunSummary]:
    """See `services.runs.list_runs`. The total of more than 10,000 runs is a lower bound."""
    query = {
        "status": wanted.status,
        "source": wanted.source,
        "started_by": wanted.started_by,
        "job": wanted.job,
    }
    return await read_list(server, RunSummary, RUNS, query, page)


async def stats_of_runs(server: Server, source: str) -> RunStats:
    """See `services.runs.stats_of_runs`."""
    return await server.get(RunStats, f"{RUNS}/stats", {"source": source})


async def show_run(server: Server, named: str) -> RunDetails:
    """See `services.runs.show_run`."""
    return await server.get(RunDetails, _path(named))


async def cancel_run(server: Server, named: str) -> RunDetails:
    """See `services.runs.cancel_run`; it waits as long for the end of the run."""
    found = await server.post(RunDetails, f"{_path(named)}/cancel")
    give_up_at = time.monotonic() + CANCEL_WAIT_S
    while found.state is RunState.CANCELLING and time.monotonic() < give_up_at:
        await asyncio.sleep(LOOK_S)
        found = await show_run(server, str(found.run_id))
    return found


def _path(named: str) -> str:
    return f"{RUNS}/{checked_run_name(named)}"
