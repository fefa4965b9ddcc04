"""What a source asks of the crawl: stored with it as JSON, read by every worker."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

from outrider.crawl.scope import DEFAULT_DEPTH, Scope, ScopeKind


@dataclass(frozen=True, slots=True)
class Policy:
    """How far to go from which seeds, and what to leave alone."""

    seeds: Sequence[str] = ()
    scope: ScopeKind = ScopeKind.HOST
    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    max_depth: int = DEFAULT_DEPTH  # 0 means the default, -1 as deep as the global cap
    max_pages: int | None = None
    max_pages_per_host: int | None = None
    delay_s: float | None = None
    ignore_robots: bool = False
    obey_nofollow: bool = True
    content_filter: bool = True
    main_text: bool = False
    priority: int = 5

    def depth_limit(self, cap: int) -> int:
        """SPI-05: unset means 3, -1 means up to the cap, nothing goes past the cap."""
        wanted = DEFAULT_DEPTH if self.max_depth == 0 else self.max_depth
        return cap if wanted < 0 else min(wanted, cap)

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"scope": self.scope.value}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Read a stored policy; names a newer version wrote are ignored, missing ones take the default."""
        known = {field.name for field in fields(cls)}
        values = {name: value for name, value in stored.items() if name in known}
        if "scope" in values:
            values["scope"] = ScopeKind(values["scope"])
        return cls(**values)


@dataclass(frozen=True, slots=True)
class Plan:
    """A policy made ready for use, as one worker holds it."""

    source_id: int
    name: str
    policy: Policy
    scope: Scope
    max_depth: int

    @classmethod
    def of(cls, source_id: int, name: str, policy: Policy, depth_cap: int) -> Self:
        scope = Scope.of(policy.scope, policy.seeds, policy.include, policy.exclude)
        return cls(source_id, name, policy, scope, policy.depth_limit(depth_cap))
