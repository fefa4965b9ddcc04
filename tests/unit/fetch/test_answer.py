"""Answers, byte by byte or all at once."""

import asyncio

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from outrider.fetch import Failure, FetchOptions
from outrider.fetch.answer import ResponseReader
from outrider.fetch.body import Body
from outrider.fetch.failures import Problem

OPTIONS = FetchOptions()
CHUNKS = b"5;x=y\r\nhello\r\n6\r\n there\r\n0\r\nX-T: 1\r\n\r\n"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-A: 1\r\n\r\n" + CHUNKS
ANSWERS = {
    "a length": b"HTTP/1.1 200 OK\r\nContent-Length: 11\r\nX-A: 1\r\n\r\nhello there",
    "chunks": CHUNKED,
    "no end but the connection's": b"HTTP/1.1 200 OK\r\nX-A: 1\r\n\r\nhello there",
    "an interim answer first": b"HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n" + CHUNKED,
    "folded and bare lines": b"HTTP/1.1 200 OK\nX-A:\n 1\nContent-Length: 11\n\nhello there",
}


def read(pieces, error=None):
    """What came of it: status, X-A and body, or the failure; and whether the connection is good."""

    async def run():
        body = Body((), 1_000_000)
        answer = ResponseReader(OPTIONS, lambda _: body, asyncio.get_running_loop())
        for piece in pieces:
            answer.feed(piece)
        answer.lose_connection(error)
        try:
            await answer.arrive()
        except Problem as problem:
            return problem.failure, answer.leaves_connection_good
        return (answer.status, answer.headers.get("x-a"), body.data), answer.leaves_connection_good

    return asyncio.run(run())


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_an_answer_is_the_same_however_it_is_cut(answer):
    whole = read([answer])

    assert whole[0] == (200, "1", b"hello there")
    assert read([answer[at : at + 1] for at in range(len(answer))]) == whole
    for at in range(len(answer)):
        assert read([answer[:at], answer[at:]]) == whole


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_an_answer_cut_short_is_never_taken_for_whole(answer):
    for end in range(len(answer)):
        result, is_good = read([answer[:end]], ConnectionResetError())

        assert result in (Failure.RESET, Failure.SHORT_BODY)
        assert not is_good


SEEDS = st.sampled_from(sorted(ANSWERS.values()))


@given(
    SEEDS, st.lists(st.tuples(st.integers(0, 200), st.binary(max_size=3)), max_size=4), st.integers(1, 300)
)
@example(CHUNKED, [], 1)
def test_a_broken_answer_ends_by_name_and_never_surprises(answer, changes, size):
    for place, replacement in changes:
        place %= len(answer)
        answer = answer[:place] + replacement + answer[place + 1 :]

    result, is_good = read([answer[at : at + size] for at in range(0, len(answer), size)])

    assert isinstance(result, tuple | Failure)
    assert not (is_good and isinstance(result, Failure))


@given(st.binary(max_size=300))
def test_any_bytes_at_all_end_by_name(data):
    result, _ = read([b"HTTP/1.1 200 OK\r\n" + data])

    assert isinstance(result, tuple | Failure)
