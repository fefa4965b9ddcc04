"""What a batch need not ingest because somebody else in the fleet has."""

import pytest
from tests.support.make import submission

from outrider.crawl.shared_seen import Sieve

KNOWN, NEW = submission("http://a.test/known"), submission("http://a.test/new")


@pytest.mark.parametrize(
    ("asked_of", "found", "through"),
    [
        pytest.param("7", "7", [NEW], id="what is known is held back"),
        pytest.param("7", "8", [KNOWN, NEW], id="unless rows may have gone since we asked"),
        pytest.param(None, "7", [KNOWN, NEW], id="or nobody was asked"),
    ],
)
def test_a_hit_counts_only_in_the_lineage_that_was_asked(asked_of, found, through):
    sieve = Sieve([KNOWN, NEW], asked_of, frozenset({KNOWN.key}))

    assert sieve.sift(found) == through


def test_a_transaction_that_is_tried_again_sifts_again():
    sieve = Sieve([KNOWN, NEW], "7", frozenset({KNOWN.key}))
    sieve.sift("7")

    sieve.sift("8")

    assert (sieve.lineage, sieve.through) == ("8", [KNOWN, NEW])
