"""Classifies each request by whether its answer was new. Pure."""

from collections.abc import Iterable, Iterator
from enum import StrEnum

from outrider.simulate.server import RequestPurpose
from outrider.simulate.web import LoggedRequest


class Brought(StrEnum):
    NEWS = "something new"
    NOT_MODIFIED = "not modified (304)"
    THE_SAME = "the same again (200)"
    A_COPY = "a copy of another site's page"
    A_TRAP = "a page or redirect of a trap"
    NOT_THERE = "nothing there (404)"
    AN_ERROR = "an error, or no answer"


def judged(log: Iterable[LoggedRequest]) -> Iterator[tuple[LoggedRequest, Brought]]:
    """Each request, in order, with its class."""
    said: dict[tuple[str, str], str] = {}  # host and path → latest content
    shown: dict[str, str] = {}  # a version of an article → the host that showed it first
    for request in log:
        yield request, _brought(request, said, shown)


def _brought(request: LoggedRequest, said: dict[tuple[str, str], str], shown: dict[str, str]) -> Brought:
    if request.asked is RequestPurpose.TRAP and request.status in (200, 302):
        return Brought.A_TRAP
    match request.status:
        case 304:
            return Brought.NOT_MODIFIED
        case 404:
            return Brought.NOT_THERE
        case 200:
            place = (request.host, request.path)
            is_same, said[place] = said.get(place) == request.says, request.says
            if is_same:
                return Brought.THE_SAME
            if (
                request.asked is RequestPurpose.ARTICLE
                and shown.setdefault(request.says, request.host) != request.host
            ):
                return Brought.A_COPY
            return Brought.NEWS
        case _:
            return Brought.AN_ERROR
