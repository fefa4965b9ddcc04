"""The frontier's store: leases, flushes, requeues, holds, schedules, runs and removals in one object.

Methods run named queries and return model objects. They take the connection, because the caller decides
which writes share a transaction: `crawl/flush.py` records completions, documents and new links in one commit.
"""

from outrider.frontier.flush import Flushes
from outrider.frontier.holds import Holds
from outrider.frontier.leases import Leases
from outrider.frontier.removal import Removals
from outrider.frontier.runs import RunEntries
from outrider.frontier.schedule import Schedules


class FrontierStore(Leases, Flushes, Holds, Schedules, RunEntries, Removals):
    """The store for one worker, or for a command that only reads."""
