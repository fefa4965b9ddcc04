"""The buffer of a stream and the clients that read it."""

import pytest

from outrider.web.streams.client import StreamClient
from outrider.web.streams.frame import HEARTBEAT, Frame, connected, encode, reset
from outrider.web.streams.topic import MOST_BEHIND, MOST_BUFFERED, Topic


def frames(*numbers: int, event: str = "job:status") -> list[Frame]:
    return [Frame(("a", number), event, b"%d " % number) for number in numbers]


def topic_with(*numbers: int, **bounds: int) -> Topic:
    topic = Topic(("a", 0), **bounds)
    topic.publish(frames(*numbers), ("a", numbers[-1] if numbers else 0))
    return topic


def joined(topic: Topic, after: int, **known: bool) -> StreamClient:
    client = StreamClient()
    assert topic.join(client, ("a", after), **{"is_known": False} | known)
    return client


def test_the_bounds_are_those_of_the_requirement():
    assert (MOST_BUFFERED, MOST_BEHIND) == (1_000, 100)


def test_a_client_gets_what_comes_after_its_position_and_each_frame_once():
    topic = topic_with(1, 2, 3)
    client = joined(topic, 1)

    first = topic.take(client)
    topic.publish(frames(4, 5), ("a", 5))

    assert (first, topic.take(client), topic.take(client)) == (b"2 3 ", b"4 5 ", b"")


def test_a_position_between_two_frames_is_a_position():
    topic = topic_with(10, 20)

    assert topic.take(joined(topic, 15)) == b"20 "


@pytest.mark.parametrize(
    ("after", "is_known", "joins"),
    [
        pytest.param(("a", 2), False, True, id="the oldest frame is the next one"),
        pytest.param(("a", 1), False, False, id="a frame between was thrown away"),
        pytest.param(("a", 5), False, True, id="the newest"),
        pytest.param(("a", 9), False, False, id="beyond the newest, and nobody knows it"),
        pytest.param(("a", 9), True, True, id="beyond the newest, as the database says"),
        pytest.param(("b", 4), True, False, id="of another history"),
    ],
)
def test_a_client_joins_where_the_buffer_has_everything_that_follows(after, is_known, joins):
    topic = topic_with(1, 2, 3, 4, 5, most=3)

    assert topic.join(StreamClient(), after, is_known=is_known) is joins


def test_a_client_that_is_ahead_of_the_buffer_gets_nothing_twice():
    topic = topic_with(1, 2)
    client = joined(topic, 4, is_known=True)

    topic.publish(frames(3, 4), ("a", 4))
    known = topic.take(client)
    topic.publish(frames(5), ("a", 5))

    assert (known, topic.take(client)) == (b"", b"5 ")


def test_a_client_that_is_too_far_behind_is_dropped_alone():
    topic = topic_with(most_behind=3)
    slow, quick = joined(topic, 0), joined(topic, 0)

    for number in range(1, 5):
        dropped = topic.publish(frames(number), ("a", number))
        topic.take(quick)

    assert dropped == 1
    assert (slow.is_dropped, quick.is_dropped, topic.clients) == (True, False, 1)


def test_frames_from_before_a_client_joined_do_not_make_it_slow():
    topic = topic_with(*range(1, 11), most_behind=3)
    client = joined(topic, 0)

    topic.publish(frames(11), ("a", 11))

    assert not client.is_dropped
    assert topic.take(client) == b"".join(b"%d " % number for number in range(1, 12))


@pytest.mark.parametrize(("last", "position", "taken"), [(2, 3, b"4 5 "), (0, 5, b""), (9, 2, b"3 4 5 ")])
def test_a_new_client_gets_the_last_frames(last, position, taken):
    topic = topic_with(1, 2, 3, 4, 5, most=3)
    client = StreamClient()

    assert topic.join_last(client, last) == ("a", position)
    assert topic.take(client) == taken


def test_a_client_gets_only_the_events_that_it_wants_and_resets():
    topic = topic_with()
    client = StreamClient(["job:status"])
    topic.join(client, ("a", 0), is_known=False)

    topic.publish([*frames(1), *frames(2, event="job:progress")], ("a", 2))
    wanted = topic.take(client)
    topic.restart(Frame(("b", 1), "reset", b"reset"))

    assert (wanted, topic.take(client)) == (b"1 ", b"reset")


def test_after_a_restart_only_positions_of_the_new_history_join():
    topic = topic_with(1, 2)
    topic.restart(Frame(("b", 7), "reset", b"reset"))
    new = StreamClient()

    assert not topic.join(StreamClient(), ("a", 2), is_known=True)
    assert topic.join(new, ("b", 7), is_known=False)
    assert topic.take(new) == b""


def test_a_heartbeat_is_sent_once():
    client = StreamClient()
    client.beat()

    assert (client.take_heartbeat(), client.take_heartbeat()) == (HEARTBEAT, b"")


def test_the_form_of_events():
    assert encode("job:status", {"text": "two\nlines – ü"}, "a.1.2") == (
        'id: a.1.2\nevent: job:status\ndata: {"text":"two\\nlines – ü"}\n\n'.encode()
    )
    assert connected("log", "7-1").startswith(b"id: 7-1\nevent: connected\n")
    assert b"id:" not in connected("log", "7-1", is_resumable=False)
    assert reset("7-1") == b'id: 7-1\nevent: reset\ndata: {"position":"7-1"}\n\n'
