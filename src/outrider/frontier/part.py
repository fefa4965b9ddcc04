"""What the parts of the frontier's store have in common."""

from outrider.db.queries import Queries
from outrider.frontier.options import FrontierOptions
from outrider.frontier.reckoning import Reckoning

SLOTS = 64


class Part:
    """Who speaks, under which settings, and the statements to choose from."""

    def __init__(self, options: FrontierOptions, worker_id: int = 0) -> None:
        self.options = options
        self.worker_id = worker_id
        self.slot = worker_id % SLOTS
        self.reckoning = Reckoning()
        self._sql = Queries.load("outrider.frontier")
