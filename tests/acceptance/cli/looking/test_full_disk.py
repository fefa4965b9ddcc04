"""Answers that cannot be written: one sentence and a failure, never half an answer that looks whole."""

import os

import pytest
from tests.support.command import outrider
from tests.support.full_disk import FULL


@pytest.mark.parametrize("arguments", [["--help"], ["stats"], ["export", "pages"]], ids=" ".join)
def test_an_answer_on_a_full_disk_is_a_failure_in_one_sentence(crawled, arguments):
    with FULL.open("w") as full:
        ran = outrider(*arguments, settings=crawled.settings, stdout=full)

    told = "outrider: standard output cannot be written: No space left on device\n"
    assert (ran.code, ran.err) == (1, told)


def test_where_not_even_that_can_be_said_it_is_still_a_failure(crawled):
    with FULL.open("w") as full:
        ran = outrider("stats", settings=crawled.settings, stdout=full, stderr=full)
        wrong = outrider("stats", "--nonsense", stderr=full)

    assert (ran.code, wrong.code) == (1, 2)


def test_a_closed_pipe_causes_no_message(crawled):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as pipe:
        ran = outrider("urls", settings=crawled.settings, stdout=pipe)

    assert (ran.code, ran.err) == (1, "")
