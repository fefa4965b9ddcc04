"""What a batch need not ingest because somebody else in the fleet has."""

import pytest
from tests.support.make import submission

from outrider.crawl.shared_seen import UnconfirmedLinks

KNOWN, NEW = submission("http://a.test/known"), submission("http://a.test/new")


@pytest.mark.parametrize(
    ("asked_of", "found", "through"),
    [
        pytest.param("7", "7", [NEW], id="known links are removed"),
        pytest.param("7", "8", [KNOWN, NEW], id="another lineage removes none"),
        pytest.param(None, "7", [KNOWN, NEW], id="without a look-up none is removed"),
    ],
)
def test_a_hit_counts_only_in_the_lineage_that_was_asked(asked_of, found, through):
    link_filter = UnconfirmedLinks([KNOWN, NEW], asked_of, frozenset({KNOWN.key}))

    assert link_filter.links_for(found) == through


def test_a_repeated_transaction_filters_again():
    link_filter = UnconfirmedLinks([KNOWN, NEW], "7", frozenset({KNOWN.key}))
    link_filter.links_for("7")

    link_filter.links_for("8")

    assert (link_filter.lineage, link_filter.unconfirmed) == ("8", [KNOWN, NEW])
