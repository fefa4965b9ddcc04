"""What a run is said to have done."""

from outrider.frontier.model import Totals
from outrider.watch.metrics import crawl_metrics


def test_a_run_is_the_difference_between_two_counts():
    """EXT-16, SPI-16."""
    before = Totals(pending=5, fetched=10, dead=1, others={"pages": 12, "extract.empty_title": 3})
    after = Totals(
        pending=9,
        fetched=20,
        dead=2,
        aliases=1,
        others={"pages": 30, "extract.empty_title": 4, "extract.empty_body": 2},
    )

    assert crawl_metrics(before, after) == {
        "items_crawled": 18,
        "items_indexed": 16,
        "extraction_quality": {"empty_title": 1, "empty_body": 2},
    }
