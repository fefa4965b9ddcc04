"""Domains that a scope allows or bars: `example.com`, or `*.example.com` for its subdomains."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from outrider.errors import InvalidInput, InvalidUrl
from outrider.urls import host_of, normalize

LONGEST = 253


@dataclass(frozen=True, slots=True)
class Domains:
    """Hosts, with and without www., and domains whose subdomains are covered."""

    hosts: frozenset[str] = frozenset()
    parents: frozenset[str] = frozenset()

    @classmethod
    def of(cls, patterns: Iterable[str]) -> Self:
        """Raises InvalidInput for a pattern that is neither a host nor `*.` and a domain."""
        hosts, parents = set(), set()
        for pattern in map(read_domain, patterns):
            if pattern.startswith("*."):
                parents.add(pattern.removeprefix("*."))
            else:
                bare = pattern.removeprefix("www.")
                hosts |= {bare, f"www.{bare}"}
        return cls(frozenset(hosts), frozenset(parents))

    def __bool__(self) -> bool:
        return bool(self.hosts or self.parents)

    def cover(self, host: str) -> bool:
        """Whether a host is covered; `*.example.com` does not cover example.com itself."""
        return host in self.hosts or (bool(self.parents) and is_below(host, self.parents))


def is_below(host: str, domains: frozenset[str]) -> bool:
    """Whether a host is a subdomain of one of `domains`. The cost does not depend on their number."""
    while True:
        _, dot, host = host.partition(".")
        if not dot:
            return False
        if host in domains:
            return True


def read_domain(text: str) -> str:
    """Read one pattern, and normalise its host as the frontier does."""
    pattern = text.strip().lower()
    star, name = ("*.", pattern[2:]) if pattern.startswith("*.") else ("", pattern)
    try:
        host = host_of(normalize(f"http://{name}/"))
    except InvalidUrl:
        host = ""
    if not host or len(name) > LONGEST or any(sign in name for sign in "/:?#@*"):
        raise InvalidInput(
            f"{text[:80]!r} is no domain: write example.com, or *.example.com for all below it"
        )
    return star + host
