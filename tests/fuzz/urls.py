"""Addresses: a first line is the base, each other line a link on it."""

import re
from itertools import combinations

import ada_url

from outrider.errors import InvalidUrl
from outrider.urls import host_of, key_of, normalize, registrable_domain

MOST_LINES = 12
LONGEST_LINE = 4_000


def check(data: bytes) -> None:
    base, *links = data.decode("utf-8", "surrogateescape").split("\n")[:MOST_LINES]
    accepted = {}
    for link in (link[:LONGEST_LINE] for link in links):
        for against in (None, base[:LONGEST_LINE]):
            try:
                address = normalize(link, against)
            except InvalidUrl:
                continue
            assert normalize(address) == address
            assert normalize(address, "http://elsewhere.test/a") == address
            assert address.isascii()
            assert key_of(address).host_id == key_of(f"http://{host_of(address)}/").host_id
            registrable_domain(host_of(address))
            accepted[link, against] = address
    _check_origins(accepted)


def _check_origins(accepted: dict[tuple[str, str | None], str]) -> None:
    """What is one address to us has one origin to a browser."""
    absolute = [(link, address) for (link, base), address in accepted.items() if base is None]
    for (one, address), (other, same) in combinations(absolute, 2):
        if address == same:
            assert _origin(one) == _origin(other), (one, other)


def _origin(link: str) -> str:
    """As a browser sees it, to which half a surrogate is a replacement character."""
    origin: str = ada_url.URL(re.sub("[\ud800-\udfff]", "\ufffd", link.strip())).origin
    return origin
