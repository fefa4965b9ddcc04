"""The key of a URL in the database."""

from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from outrider.urls.parts import host_of


class UrlKey(NamedTuple):
    """The primary key of a frontier entry: its host, and half of the URL's hash."""

    host_id: int
    hash: str


def url_hash(normalized: str) -> str:
    """SHA-256 of a normalised URL, 64 lower-case hex digits."""
    return sha256(normalized.encode()).hexdigest()


@lru_cache(maxsize=65_536)
def host_id_of(host: str) -> int:
    """A number for a host: the first eight bytes of its SHA-256, signed to fit a PostgreSQL bigint."""
    return int.from_bytes(sha256(host.encode()).digest()[:8], "big", signed=True)


def key_of(normalized: str) -> UrlKey:
    """The key of a normalised URL."""
    return UrlKey(host_id_of(host_of(normalized)), url_hash(normalized)[:32])
