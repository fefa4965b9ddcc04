"""Normalise a URL to the spelling that the frontier uses."""

from outrider.errors import InvalidUrl
from outrider.urls.percent import tidy_escapes
from outrider.urls.query import tidy_query
from outrider.urls.resolve import resolve
from outrider.urls.rules import DEFAULT_RULES, Rules


def normalize(url: str, base: str | None = None, rules: Rules = DEFAULT_RULES) -> str:
    """The normalised form of `url`, read on the page `base`. Raises `InvalidUrl`, and nothing else."""
    address = resolve(url, base)
    if "%" in address:
        address = tidy_escapes(address)
    if "?" in address:
        path, _, query = address.partition("?")
        query = tidy_query(query, rules.tracking)
        address = f"{_tidy_path(path, rules)}?{query}" if query else _tidy_path(path, rules)
    else:
        address = _tidy_path(address, rules)
    if len(address) > rules.max_length:
        raise InvalidUrl(url, f"it is longer than {rules.max_length} characters")
    return address


def _tidy_path(address: str, rules: Rules) -> str:
    """Remove one trailing slash, unless the path is the root or ends in an empty segment.

    `/a//` stays: it is another resource than `/a/`, and removing one slash at a time would not be
    idempotent.
    """
    if address[-1] != "/" or not rules.strip_trailing_slash:
        return address
    if address[-2] == "/" or address.index("/", 8) == len(address) - 1:
        return address
    return address[:-1]
