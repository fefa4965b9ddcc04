"""Where a redirect points."""

from typing import NamedTuple

from outrider.errors import InvalidUrl
from outrider.urls import normalize, resolve


class Destination(NamedTuple):
    """A redirect's target twice: `target` is which page it is to us, `follow` what to ask the server for."""

    target: str | None
    follow: str | None
    why: str | None = None


def destination(location: str | None, base: str) -> Destination:
    """Resolve a Location header against the URL that sent it; `why` says when it cannot be followed."""
    if not location or not location.strip():
        return Destination(None, None, "the redirect names no target")
    try:
        follow = resolve(location, base)
        return Destination(normalize(follow), follow)
    except InvalidUrl as error:
        return Destination(None, None, error.why)
