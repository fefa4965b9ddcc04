"""Applies the current normalisation rules to stored URLs. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from outrider.errors import InvalidUrl
from outrider.frontier.model import EntryKind
from outrider.urls import DEFAULT_RULES, Rules, UrlKey, host_of, key_of, normalize


@dataclass(frozen=True, slots=True)
class UrlMove:
    """An entry that gets a new key."""

    old: UrlKey
    new: UrlKey
    url: str

    @property
    def host(self) -> str:
        return host_of(self.url)


@dataclass(frozen=True, slots=True)
class Renormaliser:
    """The general rules, and the rules of sources that have their own."""

    general: Rules = DEFAULT_RULES
    of_sources: Mapping[int, Rules] | None = None
    is_strict: bool = False  # apply a source's rules even to URLs that fit the general rules

    def move(self, key: UrlKey, url: str, source_id: int, kind: EntryKind) -> UrlMove | None:
        """The new key of an entry, None if it keeps its key; raises InvalidUrl if its URL is not valid now.

        Seeds and redirect targets are normalised by the general rules, links by the rules of their source.
        A URL that fits either of them stays as it is, unless `is_strict` is set.
        """
        if kind is EntryKind.LINK:  # its key is not that of its address
            return None
        own = (self.of_sources or {}).get(source_id, self.general) if kind is EntryKind.PAGE else self.general
        normalised = normalize(url, rules=own)
        if normalised == url or (not self.is_strict and own != self.general and self._is_general(url)):
            return None
        return UrlMove(key, key_of(normalised), normalised)

    def _is_general(self, url: str) -> bool:
        try:
            return normalize(url, rules=self.general) == url
        except InvalidUrl:
            return False
