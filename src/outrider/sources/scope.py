"""Which URLs belong to a crawl, by its seeds and its patterns."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Self

from outrider.sources.domains import Domains, is_below
from outrider.sources.patterns import Pattern
from outrider.urls import host_of, path_of, registrable_domain

DEFAULT_DEPTH = 3
DEEP = 5  # a greater depth gets a warning (SPI-05)
NO_DOMAINS = Domains()


class ScopeKind(StrEnum):
    """How far from its seeds a crawl may go."""

    HOST = "host"  # the seed's host, with and without www.
    DOMAIN = "domain"  # every host of the seed's registrable domain
    PREFIX = "prefix"  # the seed's host, below the seed's folder
    ANY = "any"  # wherever links lead


@dataclass(frozen=True, slots=True)
class Scope:
    """The bounds of one crawl. Seeds always belong to it, unless a pattern excludes them."""

    kind: ScopeKind
    seeds: frozenset[str]
    hosts: frozenset[str] = frozenset()  # or domains, for ScopeKind.DOMAIN
    folders: dict[str, tuple[str, ...]] = field(default_factory=dict)  # host → paths, for ScopeKind.PREFIX
    include: tuple[Pattern, ...] = ()
    exclude: tuple[Pattern, ...] = ()
    allowed: Domains = NO_DOMAINS  # besides the hosts of the seeds
    barred: Domains = NO_DOMAINS

    @classmethod
    def of(
        cls,
        kind: ScopeKind,
        seeds: Iterable[str],
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        allowed_domains: Sequence[str] = (),
        barred_domains: Sequence[str] = (),
    ) -> Self:
        """Build the scope of these normalised seeds; bad patterns raise `InvalidInput`."""
        seeds = frozenset(seeds)
        hosts = {host_of(seed) for seed in seeds}
        if kind is ScopeKind.DOMAIN:
            covered = frozenset(_domain_of(host) for host in hosts)
        else:
            covered = frozenset(form for host in hosts for form in _with_and_without_www(host))
        return cls(
            kind,
            seeds,
            covered,
            _folders_of(seeds) if kind is ScopeKind.PREFIX else {},
            tuple(map(Pattern.compile, include)),
            tuple(map(Pattern.compile, exclude)),
            Domains.of(allowed_domains),
            Domains.of(barred_domains) if barred_domains else NO_DOMAINS,
        )

    def admits(self, url: str) -> bool:
        """Whether a normalised URL belongs to the crawl."""
        if self.exclude and any(pattern.search(url) for pattern in self.exclude):
            return False
        if self.barred is not NO_DOMAINS and self.barred.cover(host_of(url)):
            return False
        if url in self.seeds:
            return True
        if not (self._covers(url) or (self.allowed and self.allowed.cover(host_of(url)))):
            return False
        return not self.include or any(pattern.search(url) for pattern in self.include)

    def refusal(self, url: str) -> str | None:
        """Why a URL does not belong to the crawl, as a sentence; None if it does."""
        if self.admits(url):
            return None
        for pattern in self.exclude:
            if pattern.search(url):
                return f"excluded by the pattern {pattern.text!r}"
        if self.barred and self.barred.cover(host_of(url)):
            return f"on {host_of(url)}, which is not allowed"
        if not (self._covers(url) or self.allowed.cover(host_of(url))):
            return f"outside scope: {self._distance(url)}"
        patterns = ", ".join(repr(pattern.text) for pattern in self.include)
        return f"matched by none of the include patterns {patterns}"

    def _covers(self, url: str) -> bool:
        match self.kind:
            case ScopeKind.HOST:
                return host_of(url) in self.hosts
            case ScopeKind.ANY:
                return True
            case ScopeKind.DOMAIN:
                return self._is_below_a_domain(host_of(url))
            case ScopeKind.PREFIX:
                return self._is_in_a_folder(url)

    def _is_below_a_domain(self, host: str) -> bool:
        return host in self.hosts or is_below(host, self.hosts)

    def _is_in_a_folder(self, url: str) -> bool:
        folders = self.folders.get(host_of(url), ())
        path = path_of(url).partition("?")[0]
        return any(path == folder or path.startswith(folder + "/") for folder in folders)

    def _distance(self, url: str) -> str:
        host = host_of(url)
        if self.kind is ScopeKind.PREFIX and host in self.folders:
            folders = _some(f"{folder}/" for folder in self.folders[host])
            return f"path is {path_of(url)}, the crawl covers {folders} on {host}"
        return f"host is {host}, the crawl covers {_some(self.hosts)}"


def _domain_of(host: str) -> str:
    """The registrable domain, or the host itself where there is none (addresses, localhost)."""
    return registrable_domain(host) or host


def _with_and_without_www(host: str) -> tuple[str, ...]:
    if registrable_domain(host) is None:
        return (host,)
    return (host, host.removeprefix("www.") if host.startswith("www.") else f"www.{host}")


def _folders_of(seeds: Iterable[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {}
    for seed in seeds:
        for host in _with_and_without_www(host_of(seed)):
            found.setdefault(host, set()).add(_folder_of(path_of(seed).partition("?")[0]))
    return {host: tuple(sorted(folders)) for host, folders in found.items()}


def _folder_of(path: str) -> str:
    """The folder of a seed, without a trailing slash.

    Normalisation removed the slash of `/docs/`, so the last segment is a folder unless it
    looks like a file: `/docs` is `/docs`, and so is `/docs/index.html`.
    """
    parent, _, last = path.rpartition("/")
    return parent if "." in last or not last else path


def _some(names: Iterable[str]) -> str:
    """The first few of many names, for a sentence."""
    ordered = sorted(names)
    shown = ", ".join(ordered[:3])
    return shown if len(ordered) <= 3 else f"{shown} and {len(ordered) - 3} more"
