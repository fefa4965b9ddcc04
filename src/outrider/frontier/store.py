"""The frontier's store: leases, flushes and requeues in one object.

Methods run named queries and return model objects. They take the connection, because the caller decides
which writes share a transaction: `crawl/flush.py` records completions, documents and new links in one commit.
"""

from outrider.frontier.flush import Flushes
from outrider.frontier.leases import Leases
from outrider.frontier.requeue import Requeues


class FrontierStore(Leases, Flushes, Requeues):
    """The store for one worker, or for a command that only reads."""
