"""The id of a URL or page in the API: the number of its host and half of its hash, `-42:0f3a…`. Pure."""

import re

from outrider.errors import NotFound
from outrider.urls import UrlKey

LONGEST_KEY = 60
_KEY = re.compile(r"(-?[0-9]{1,19}):([0-9a-f]{32})")
_SMALLEST, _LARGEST = -(1 << 63), (1 << 63) - 1  # of a bigint


def read_key(text: str) -> UrlKey:
    """The key that an id names; raises NotFound for text that is no id."""
    found = _KEY.fullmatch(text)
    if found is None or not _SMALLEST <= int(found[1]) <= _LARGEST:
        raise NotFound("there is no such id: lists give the id of each item")
    return UrlKey(int(found[1]), found[2])


def write_key(key: UrlKey) -> str:
    """The id of a key."""
    return f"{key.host_id}:{key.hash}"
