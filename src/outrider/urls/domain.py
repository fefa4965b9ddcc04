"""The registrable domain of a host, by the public suffix list."""

from functools import cache, lru_cache
from typing import Final

from publicsuffixlist import PublicSuffixList

_LONGEST_HOST: Final = 255
_OTHER_DOTS: Final = str.maketrans("。．｡", "...")


def registrable_domain(host: str) -> str | None:
    """`news.example.co.uk` → `example.co.uk`; None for an address, a public suffix or no host name at all.

    Private suffixes count (`alice.github.io` is Alice's). Unicode stays Unicode, punycode stays punycode.
    """
    return _registrable(host) if len(host) <= _LONGEST_HOST else None


@lru_cache(maxsize=16_384)
def _registrable(host: str) -> str | None:
    name = host.translate(_OTHER_DOTS).lower().removesuffix(".")
    last_label = name.rpartition(".")[2]
    if ":" in name or last_label.isdecimal():
        return None
    return _suffixes().privatesuffix(name)


@cache
def _suffixes() -> PublicSuffixList:
    """Loaded on first use: it takes about 80 ms."""
    return PublicSuffixList()
