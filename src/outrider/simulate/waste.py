"""Classifies each request by whether its answer was new. Pure."""

from collections.abc import Iterable, Iterator
from enum import StrEnum

from outrider.simulate.server import RequestPurpose
from outrider.simulate.web import LoggedRequest


class AnswerClass(StrEnum):
    NEWS = "something new"
    NOT_MODIFIED = "not modified (304)"
    THE_SAME = "the same again (200)"
    A_COPY = "a copy of another site's page"
    A_TRAP = "a page or redirect of a trap"
    NOT_THERE = "nothing there (404)"
    AN_ERROR = "an error, or no answer"


def classify(log: Iterable[LoggedRequest]) -> Iterator[tuple[LoggedRequest, AnswerClass]]:
    """Each request, in order, with its class."""
    said: dict[tuple[str, str], str] = {}  # host and path → latest content
    shown: dict[str, str] = {}  # a version of an article → the host that showed it first
    for request in log:
        yield request, _class_of(request, said, shown)


def _class_of(request: LoggedRequest, said: dict[tuple[str, str], str], shown: dict[str, str]) -> AnswerClass:
    if request.asked is RequestPurpose.TRAP and request.status in (200, 302):
        return AnswerClass.A_TRAP
    match request.status:
        case 304:
            return AnswerClass.NOT_MODIFIED
        case 404:
            return AnswerClass.NOT_THERE
        case 200:
            place = (request.host, request.path)
            is_same, said[place] = said.get(place) == request.says, request.says
            if is_same:
                return AnswerClass.THE_SAME
            if (
                request.asked is RequestPurpose.ARTICLE
                and shown.setdefault(request.says, request.host) != request.host
            ):
                return AnswerClass.A_COPY
            return AnswerClass.NEWS
        case _:
            return AnswerClass.AN_ERROR
