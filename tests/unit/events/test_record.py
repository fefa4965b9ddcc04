"""An event that the log cannot hold is refused before it reaches the database."""

import json

import pytest

from outrider.errors import InvalidInput
from outrider.events.record import LARGEST_PAYLOAD, LONGEST_KIND, LONGEST_SUBJECT, NewEvent


@pytest.mark.parametrize(
    "kind", ["", "job", "Job.started", "job.", ".started", "job started", "job.started\n", "a." + "b" * 64]
)
def test_a_kind_is_noun_and_verb(kind):
    with pytest.raises(InvalidInput, match="is not a kind of event"):
        NewEvent(kind, "1")


def test_the_longest_of_everything_fits():
    room = LARGEST_PAYLOAD - len('{"text":""}')

    event = NewEvent("a." + "b" * (LONGEST_KIND - 2), "s" * LONGEST_SUBJECT, {"text": "x" * room})

    assert len(event.encoded()) == LARGEST_PAYLOAD


def test_a_payload_is_measured_in_bytes():
    with pytest.raises(InvalidInput, match="more than 16,384 bytes"):
        NewEvent("job.started", "1", {"text": "é" * (LARGEST_PAYLOAD // 2)})


@pytest.mark.parametrize("subject_id", ["s" * (LONGEST_SUBJECT + 1), "a\x00b", "\ud800"])
def test_a_subject_that_cannot_be_stored_is_refused(subject_id):
    with pytest.raises(InvalidInput, match="subject"):
        NewEvent("job.started", subject_id)


def nested(depth):
    value: list = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), object(), b"bytes", nested(100_000)], ids=lambda v: type(v).__name__
)
def test_what_is_not_json_is_refused(value):
    with pytest.raises(InvalidInput, match="is not JSON"):
        NewEvent("job.started", "1", {"value": value})


def test_characters_that_postgresql_refuses_are_replaced_at_any_depth():
    event = NewEvent("page.read", "1", {"a\x00": [{"title": "x\x00\ud800y"}]})

    assert json.loads(event.encoded()) == {"a\ufffd": [{"title": "x\ufffd\ufffdy"}]}
