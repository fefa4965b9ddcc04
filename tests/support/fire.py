"""When to shoot at a crawl: after so many more requests, however fast the machine is today."""

import time
from pathlib import Path

from tests.support.crawl import Crawl

_LOOK_EVERY_S = 0.02


def wait_for_requests(crawl: Crawl, log: Path, more: int, *, timeout_s: float = 60.0) -> None:
    """Until a server's log has grown by `more` lines; a crawl that ends before is an error."""
    wanted = _lines(log) + more
    until = time.monotonic() + timeout_s
    while _lines(log) < wanted:
        if not crawl.is_running:
            raise AssertionError(f"the crawl ended by itself\n{crawl.output()[-3000:]}")
        if time.monotonic() > until:
            raise AssertionError(f"no {more} requests in {timeout_s} s\n{crawl.output()[-3000:]}")
        time.sleep(_LOOK_EVERY_S)


def _lines(log: Path) -> int:
    return log.read_bytes().count(b"\n")
