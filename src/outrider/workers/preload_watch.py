"""Imports also the code for watched sources, which a worker of a crawl imports only if it meets a feed."""

from contextlib import suppress

from outrider.garbage_collection import collect_rarely, skip_all_objects

collect_rarely()
with suppress(Exception):
    import outrider.extract.tree.bounds
    import outrider.jobs.follow
    import outrider.links.monitor.handler
    import outrider.watch.handlers
    import outrider.workers.process  # noqa: F401
skip_all_objects()
