"""A batch touches no row twice."""

import pytest
from tests.support.make import completion, submission

from outrider.crawl.batch import Batch

A, B = "http://a.test/", "http://b.test/"


def test_an_empty_batch_is_nothing_to_write():
    assert not Batch()


@pytest.mark.parametrize("what", ["complete", "submit", "count"])
def test_anything_in_it_is_something_to_write(what):
    batch = Batch()
    {
        "complete": lambda: batch.complete(completion(A)),
        "submit": lambda: batch.submit([submission(A)]),
        "count": lambda: batch.count(1, "pages"),
    }[what]()

    assert batch


def test_a_link_found_twice_is_queued_once_at_its_best():
    batch = Batch()
    batch.submit([submission(A, 3), submission(B, 5)])
    batch.submit([submission(A, 7), submission(B, 2)])

    assert {link.url: link.priority for link in batch.links_to_ingest()} == {A: 7, B: 5}


def test_what_is_completed_here_is_not_queued_here():
    batch = Batch()
    batch.submit([submission(A), submission(B)])
    batch.complete(completion(A))

    assert [link.url for link in batch.links_to_ingest()] == [B]


def test_the_last_word_on_an_address_counts():
    batch = Batch()
    batch.complete(completion(A, reason="http_500"))
    batch.complete(completion(A))

    assert [done.reason for done in batch.completions.values()] == [None]
    assert batch.pages == 1


def test_counts_add_up_by_source():
    batch = Batch()
    for source_id in (1, 1, 2):
        batch.count(source_id, "bytes", 10)

    assert batch.counts == {(1, "bytes"): 20, (2, "bytes"): 10}


def test_rows_that_are_written_alike_are_written_together():
    async def note(db: object, rows: list[str]) -> None: ...
    async def forget(db: object, rows: list[str]) -> None: ...

    batch = Batch()
    for write, row in ((note, "a"), (forget, "b"), (note, "c")):
        batch.write_row(write, row)

    assert batch
    assert batch.rows == {note: ["a", "c"], forget: ["b"]}
