"""The base class of the frontier's stores."""

from outrider.db.queries import Queries
from outrider.frontier.clock_monitor import ClockMonitor
from outrider.frontier.options import FrontierOptions

SLOTS = 64


class StoreBase:
    """The worker, the settings, the counter slot and the queries."""

    def __init__(self, options: FrontierOptions, worker_id: int = 0) -> None:
        self.options = options
        self.worker_id = worker_id
        self.slot = worker_id % SLOTS
        self.clock_monitor = ClockMonitor()
        self._sql = Queries.load("outrider.frontier")
