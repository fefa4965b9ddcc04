"""A lock on several servers is held by who has it on most of them."""

import pytest

from outrider.coordination.votes import Votes, quorum_of
from outrider.errors import Unavailable

DOWN = Unavailable("nothing answers")


@pytest.mark.parametrize(("servers", "quorum"), [(1, 1), (2, 2), (3, 2), (4, 3), (5, 3), (7, 4)])
def test_the_quorum_is_more_than_half(servers: int, quorum: int):
    assert quorum_of(servers) == quorum


@pytest.mark.parametrize(
    ("answers", "passed"),
    [
        ([True, True, True], True),
        ([True, True, False], True),
        ([True, True, DOWN], True),
        ([True, False, False], False),
        ([DOWN, False, False], False),
        ([True, True, False, False], False),
        ([True, True, True, DOWN, DOWN], True),
    ],
)
def test_a_quorum_decides(answers: list[bool | Exception], passed: bool):
    assert Votes(answers).passed is passed


@pytest.mark.parametrize("answers", [[True, DOWN, DOWN], [True, False, DOWN], [DOWN, DOWN, DOWN]])
def test_where_silent_servers_would_decide_nothing_is_decided(answers: list[bool | Exception]):
    with pytest.raises(Unavailable, match="of 3 Redis servers did not answer, and 2 must agree: nothing"):
        _ = Votes(answers).passed
