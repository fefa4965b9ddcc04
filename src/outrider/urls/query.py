"""Sort query parameters and drop tracking parameters."""

from urllib.parse import unquote_to_bytes

from outrider.urls.tracking import Tracking


def tidy_query(query: str, tracking: Tracking) -> str:
    """Sort by name, keep the order of repeats, drop tracking parameters and empty pieces (`a&&b`).

    `a` and `a=` stay different, `+` and `%20` too. A `;` is no separator.
    """
    if "&" not in query:
        return "" if tracking.covers(query.partition("=")[0]) else query
    kept = [piece for piece in query.split("&") if piece and not tracking.covers(piece.partition("=")[0])]
    kept.sort(key=_decoded_name)
    return "&".join(kept)


def _decoded_name(piece: str) -> str:
    """The name as a server decodes it: `a+b` and `a%20b` are one name, whose repeats keep their order."""
    name = piece.partition("=")[0]
    if "%" not in name and "+" not in name:
        return name
    return unquote_to_bytes(name.replace("+", " ")).decode("latin-1")
