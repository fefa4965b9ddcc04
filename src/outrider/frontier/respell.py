"""How a stored URL is spelt by today's rules. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from outrider.errors import InvalidUrl
from outrider.frontier.model import EntryKind
from outrider.urls import DEFAULT_RULES, Rules, UrlKey, host_of, key_of, normalize


@dataclass(frozen=True, slots=True)
class UrlMove:
    """An entry that gets another key."""

    old: UrlKey
    new: UrlKey
    url: str

    @property
    def host(self) -> str:
        return host_of(self.url)


@dataclass(frozen=True, slots=True)
class Speller:
    """The general rules, and those of sources that have their own."""

    general: Rules = DEFAULT_RULES
    of_sources: Mapping[int, Rules] | None = None
    is_strict: bool = False  # also what the general rules would write goes by the rules of its source

    def move(self, key: UrlKey, url: str, source_id: int, kind: EntryKind) -> UrlMove | None:
        """Where an entry belongs, if not where it is; raises InvalidUrl where it belongs nowhere any more.

        A seed or a redirect target is spelt by the general rules, a link by those of its source: what
        either of them would write stays as it is, unless the speller is strict.
        """
        own = (self.of_sources or {}).get(source_id, self.general) if kind is EntryKind.PAGE else self.general
        spelt = normalize(url, rules=own)
        if spelt == url or (not self.is_strict and own != self.general and self._is_general(url)):
            return None
        return UrlMove(key, key_of(spelt), spelt)

    def _is_general(self, url: str) -> bool:
        try:
            return normalize(url, rules=self.general) == url
        except InvalidUrl:
            return False
