"""The metrics of one crawl run, by the names that reports use (EXT-16, SPI-16). Pure."""

from typing import Any

from outrider.frontier.counter_name import CounterName
from outrider.frontier.model import Totals

_QUALITY = {"empty_title": CounterName.EMPTY_TITLE, "empty_body": CounterName.EMPTY_BODY}


def crawl_metrics(before: Totals, after: Totals) -> dict[str, Any]:
    """The difference between the counters at the end and at the start of a run."""

    def counted(name: str) -> int:
        return after.others.get(name, 0) - before.others.get(name, 0)

    return {
        "items_crawled": counted(CounterName.PAGES),  # pages visited
        "items_indexed": after.known - before.known,  # URLs newly queued
        "extraction_quality": {name: counted(counter) for name, counter in _QUALITY.items()},
    }
