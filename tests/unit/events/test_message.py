"""Events as messages of a stream that others write to as well: what is read, and what is refused."""

import json
from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.errors import InvalidInput
from outrider.events.message import LARGEST, read_message, to_message
from outrider.events.model import EventType, SourceEvent

EVENT = SourceEvent(
    event_id=UUID(int=1),
    event_type=EventType.UPDATED,
    source_id=UUID(int=7),
    at=datetime(2026, 5, 1, 12, tzinfo=UTC),
    payload={"changed": ["mode"], "source": {"name": "Das Blatt – täglich"}},
)


def message(**changes: bytes | None) -> dict[bytes, bytes]:
    """A good one, unless `changes` say otherwise; None leaves a field out."""
    good = {name.encode(): value.encode() for name, value in to_message(EVENT).items()}
    changed = good | {name.encode(): value for name, value in changes.items()}
    return {name: value for name, value in changed.items() if value is not None}


def test_the_envelope_has_these_fields():
    assert to_message(EVENT) == {
        "event_id": "00000000-0000-0000-0000-000000000001",
        "event_type": "SOURCE_UPDATED",
        "source_id": "00000000-0000-0000-0000-000000000007",
        "timestamp": "2026-05-01T12:00:00+00:00",
        "payload": '{"changed":["mode"],"source":{"name":"Das Blatt – täglich"}}',
    }


def test_what_is_written_is_read_again():
    assert read_message(message()) == EVENT


@pytest.mark.parametrize(
    ("said", "at"),
    [
        (b"2026-05-01T12:00:00Z", datetime(2026, 5, 1, 12, tzinfo=UTC)),
        (b"2026-05-01T14:00:00.25+02:00", datetime(2026, 5, 1, 12, 0, 0, 250_000, tzinfo=UTC)),
        (b"2026-05-01 12:00:00", datetime(2026, 5, 1, 12, tzinfo=UTC)),
    ],
)
def test_other_programs_write_times_in_other_ways(said, at):
    assert read_message(message(timestamp=said)).at == at


def test_a_message_may_lack_a_payload_and_have_unknown_fields():
    assert read_message(message(payload=None, trace=b"abc")).payload == {}


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        pytest.param({}, "no event_id", id="empty"),
        pytest.param(message(event_id=b"42"), "event_id '42' is not a UUID", id="id that is none"),
        pytest.param(message(event_type=b"SOURCE_EATEN"), "is not known here", id="unknown type"),
        pytest.param(message(event_type=None), "no event_type", id="no type"),
        pytest.param(message(source_id=b"\xff\xfe"), "is not a UUID", id="source that is nonsense"),
        pytest.param(message(source_id=b"7"), "source_id '7' is not a UUID", id="number of a source"),
        pytest.param(message(timestamp=b"tomorrow"), "is not a time", id="no time"),
        pytest.param(message(timestamp=None), "no timestamp", id="timestamp missing"),
        pytest.param(message(payload=b"{"), "payload is not JSON", id="half a payload"),
        pytest.param(message(payload=b"[1]"), "payload is not an object", id="payload that is a list"),
        pytest.param(message(payload=b"[" * 100_000), "payload is not JSON", id="payload nested too deep"),
        pytest.param(message(payload=b'{"a":' + b"9" * 5_000 + b"}"), "not JSON", id="endless number"),
        pytest.param(message(payload=b" " * LARGEST), "more than 262,144 bytes", id="too large"),
        pytest.param(message(event_id=b"1" * LARGEST), "more than 262,144 bytes", id="too large an id"),
    ],
)
def test_what_is_no_event_is_refused_with_a_reason(fields, why):
    with pytest.raises(InvalidInput, match=why) as refused:
        read_message(fields)
    assert len(str(refused.value)) < 1_000


@given(
    st.dictionaries(
        st.sampled_from([b"event_id", b"event_type", b"source_id", b"timestamp", b"payload", b"other"]),
        st.binary(max_size=60) | st.sampled_from(list(message().values())),
    )
)
def test_no_message_raises_anything_else(fields):
    try:
        event = read_message(fields)
    except InvalidInput:
        return
    assert json.loads(to_message(event)["payload"]) == event.payload
