"""What a request brought is judged by what was said before."""

import pytest

from outrider.simulate.server import RequestPurpose
from outrider.simulate.waste import AnswerClass, classify
from outrider.simulate.web import LoggedRequest


def request(
    host: str = "a.test",
    status: int | None = 200,
    says: str = "x",
    asked: RequestPurpose = RequestPurpose.ARTICLE,
) -> LoggedRequest:
    return LoggedRequest(host, "/x", asked, 0, 1, status, says)


@pytest.mark.parametrize(
    ("log", "last"),
    [
        pytest.param([request()], AnswerClass.NEWS, id="never seen"),
        pytest.param([request(), request()], AnswerClass.THE_SAME, id="the same again"),
        pytest.param([request(), request(says="y")], AnswerClass.NEWS, id="changed"),
        pytest.param([request(), request(says="y"), request()], AnswerClass.NEWS, id="changed back"),
        pytest.param([request(), request(status=304)], AnswerClass.NOT_MODIFIED, id="304"),
        pytest.param([request("a.test"), request("b.test")], AnswerClass.A_COPY, id="on a mirror"),
        pytest.param(
            [request("a.test", asked=RequestPurpose.LIST), request("b.test", asked=RequestPurpose.LIST)],
            AnswerClass.NEWS,
            id="lists of two sites may be alike",
        ),
        pytest.param([request(asked=RequestPurpose.TRAP)], AnswerClass.A_TRAP, id="a trap"),
        pytest.param([request(status=302, asked=RequestPurpose.TRAP)], AnswerClass.A_TRAP, id="a maze"),
        pytest.param(
            [request(status=503, asked=RequestPurpose.TRAP)], AnswerClass.AN_ERROR, id="a trap that fails"
        ),
        pytest.param([request(status=404)], AnswerClass.NOT_THERE, id="404"),
        pytest.param([request(status=None)], AnswerClass.AN_ERROR, id="no answer"),
        pytest.param([request(status=429)], AnswerClass.AN_ERROR, id="429"),
    ],
)
def test_the_class_of_an_answer(log: list[LoggedRequest], last: AnswerClass):
    *_, (_, brought) = classify(log)

    assert brought is last
