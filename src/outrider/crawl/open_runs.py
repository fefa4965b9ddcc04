"""What a worker knows of the open runs: their sources, and which of them were cancelled (JOB-11)."""

from collections.abc import Sequence

from outrider.db.reconnecting import ReconnectingConnection
from outrider.frontier.model import NO_RUN, Entry, Submission
from outrider.runs.store import RunStore


class OpenRuns:
    """Refreshed with every heartbeat, so that a cancelled run makes no request a second later."""

    def __init__(self) -> None:
        self.cancelled: frozenset[int] = frozenset()
        self._sources: dict[int, int] = {}

    async def refresh(self, connection: ReconnectingConnection) -> None:
        """Read the open runs."""
        found = await connection.run(RunStore().open_runs)
        self._sources = {run.run_id: run.source_id for run in found}
        self.cancelled = frozenset(run.run_id for run in found if run.is_cancelled)

    async def load(self, run_id: int, connection: ReconnectingConnection) -> None:
        """Make sure that the source of this run is known: the run may be younger than the last heartbeat."""
        if run_id and run_id not in self._sources:
            await self.refresh(connection)

    def links_of(self, entry: Entry, links: Sequence[Submission]) -> Sequence[Submission]:
        """The links of a page. Only the run's own source adds the links of a shared page to the run."""
        if not entry.interests or entry.run_id == NO_RUN:
            return links
        if self._sources.get(entry.run_id) == entry.source_id:
            return links
        return [link._replace(run_id=NO_RUN) for link in links]
