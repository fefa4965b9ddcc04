"""The name of a worker for operators (WRK-06)."""

from outrider.crawl.options import CrawlOptions


def worker_name(options: CrawlOptions, worker_id: int) -> str:
    """The name of the settings, or the number of the worker, which no other worker of the database has.

    Several processes with the same settings add their numbers, so that each name is used once.
    """
    if options.worker_id is None:
        return str(worker_id)
    return options.worker_id if options.workers == 1 else f"{options.worker_id}-{worker_id}"
