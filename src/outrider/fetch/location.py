"""The target of a redirect."""

from typing import NamedTuple

from outrider.errors import InvalidUrl
from outrider.urls import normalize, resolve


class Destination(NamedTuple):
    """The target of a redirect: `target` is its normalised URL, `follow` the URL to request."""

    target: str | None
    follow: str | None
    why: str | None = None


def destination(location: str | None, base: str) -> Destination:
    """Resolve a Location header against the URL that sent it; `why` says why it cannot be followed."""
    if not location or not location.strip():
        return Destination(None, None, "the redirect has no target")
    try:
        follow = resolve(location, base)
        return Destination(normalize(follow), follow)
    except InvalidUrl as error:
        return Destination(None, None, error.why)
