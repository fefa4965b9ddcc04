"""Tracking parameters: query parameters that describe the visitor, not the resource."""

from dataclasses import dataclass, replace
from typing import Self


@dataclass(frozen=True, slots=True)
class Tracking:
    """Which parameter names to drop. Names are compared as written, after unreserved escapes are decoded."""

    names: frozenset[str] = frozenset()
    prefixes: tuple[str, ...] = ()
    kept: frozenset[str] = frozenset()

    @classmethod
    def of(cls, *patterns: str) -> Self:
        """From names such as `fbclid` and prefixes such as `utm_*`."""
        return cls().add(*patterns)

    def add(self, *patterns: str) -> Self:
        """Also drop these."""
        prefixes = {pattern[:-1] for pattern in patterns if pattern.endswith("*")}
        names = {pattern for pattern in patterns if not pattern.endswith("*")}
        return replace(
            self,
            names=self.names | names,
            prefixes=tuple(sorted(prefixes.union(self.prefixes))),
            kept=self.kept - names,
        )

    def keep(self, *patterns: str) -> Self:
        """Keep these: a name, even one that a prefix covers, or a whole prefix."""
        prefixes = {pattern[:-1] for pattern in patterns if pattern.endswith("*")}
        names = {pattern for pattern in patterns if not pattern.endswith("*")}
        return replace(
            self,
            names=self.names - names,
            prefixes=tuple(prefix for prefix in self.prefixes if prefix not in prefixes),
            kept=self.kept | names,
        )

    def covers(self, name: str) -> bool:
        """Whether this parameter is dropped."""
        return (name in self.names or name.startswith(self.prefixes)) and name not in self.kept


DEFAULT_TRACKING = Tracking.of("utm_*", "fbclid", "gclid", "gclsrc", "dclid", "msclkid", "ref", "source")
