"""Resolves the addresses in feeds and their texts."""

from outrider.errors import InvalidUrl
from outrider.feeds.limits import MAX_URL
from outrider.feeds.strings import line
from outrider.urls import resolve

_SCHEMES = ("http://", "https://")


def web_address(written: str | None, base: str) -> str | None:
    """The absolute http or https address, in its original spelling if it was absolute; None if invalid."""
    written = line(written, MAX_URL + 1)
    if not written or len(written) > MAX_URL:
        return None
    try:
        resolved = resolve(written, base)
    except InvalidUrl:
        return None
    if written.lower().startswith(_SCHEMES) and " " not in written:
        return written
    _, mark, fragment = written.partition("#")
    return resolved + mark + fragment
