"""Changes to a source: reads the fields, and reports each value that cannot be read. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from outrider.errors import InvalidInput
from outrider.frontier.priority import DEFAULT as DEFAULT_PRIORITY
from outrider.sources.fields import FIELDS
from outrider.sources.model import Mode, NewSource, RenderMode, Source
from outrider.sources.policy import DEFAULT_POLICY, NO_CHANGES, PolicyChanges
from outrider.sources.scope import DEEP
from outrider.sources.values import OutOfBounds
from outrider.urls import host_of, path_of

_OWN = {"feed": "feeds", "sitemap": "sitemaps"}  # fields with other names in `SourceChanges`


@dataclass(frozen=True, slots=True)
class SourceChanges:
    """Changes to a source. None, and a policy field that `policy` does not name, mean no change."""

    name: str | None = None
    url: str | None = None
    mode: Mode | None = None
    priority: int | None = None
    feeds: Sequence[str] = ()
    sitemaps: Sequence[str] = ()
    labels: Sequence[str] | None = None
    enabled: bool | None = None
    template: str | None = None  # empty: none any more
    selectors: Mapping[str, Any] | None = None  # empty: none any more
    render_mode: RenderMode | None = None
    identity_key: str | None = None  # empty: none any more
    allow_source_discovery: bool | None = None
    policy: PolicyChanges = NO_CHANGES

    def as_source(self) -> NewSource:
        """A new source with these values, and defaults for the others."""
        if self.url is None:
            raise InvalidInput("a source needs an address: write https://example.com")
        return NewSource(
            name=self.name or name_of(self.url),
            url=self.url,
            mode=self.mode or Mode.FEED,
            priority=self.priority or DEFAULT_PRIORITY,
            policy=self.policy.for_source(DEFAULT_POLICY, self.url, self.priority or DEFAULT_PRIORITY),
            selectors=self.selectors or None,
            template=self.template or None,
            labels=self.labels or (),
            render_mode=self.render_mode or RenderMode.STATIC,
            identity_key=self.identity_key or None,
            allow_source_discovery=self.allow_source_discovery is not False,
        )

    def applied_to(self, source: Source) -> Source:
        """`source` with these changes and no other."""
        url = self.url or source.url
        priority = self.priority or source.priority
        return replace(
            source,
            name=self.name or source.name,
            url=url,
            mode=self.mode or source.mode,
            priority=priority,
            policy=self.policy.for_source(source.policy, url, priority),
            selectors=source.selectors if self.selectors is None else (self.selectors or None),
            template=source.template if self.template is None else (self.template or None),
            labels=source.labels if self.labels is None else list(self.labels),
            render_mode=self.render_mode or source.render_mode,
            identity_key=source.identity_key if self.identity_key is None else (self.identity_key or None),
            allow_source_discovery=_first(self.allow_source_discovery, source.allow_source_discovery),
        )


@dataclass(frozen=True, slots=True)
class ParsedChanges:
    """The changes, the values that cannot be read (`problems`), and the fallbacks used (`notes`)."""

    changes: SourceChanges
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def checked(self) -> SourceChanges:
        """The changes; raises InvalidInput if there are problems."""
        if self.problems:
            raise InvalidInput("; ".join(self.problems))
        return self.changes


def read_changes(values: Mapping[str, str | Sequence[str] | None]) -> ParsedChanges:
    """Read values by their names in `FIELDS`. Empty values are ignored."""
    own: dict[str, Any] = {}
    policy: dict[str, Any] = {}
    problems, notes = [], []
    for name, texts in _nonempty(values):
        field = FIELDS[name]
        try:
            value = field.read_all(texts)
        except ValueError as error:
            if field.fallback is None or isinstance(error, OutOfBounds):
                problems.append(f"{name}: {error}")
                continue
            value = field.fallback
            notes.append(f"{name}: {error}; taking {field.write(value)}")
        if field.policy:
            policy[field.policy] = value
        else:
            own[_OWN.get(name, name)] = value
    depth = policy.get("max_depth") or 0
    if depth > DEEP:
        notes.append(f"depth: {depth} is deep, most sites have everything within {DEEP}")
    return ParsedChanges(SourceChanges(**own, policy=PolicyChanges(policy)), tuple(problems), tuple(notes))


def name_of(url: str) -> str:
    """The default name of a source with this address: its host and its path."""
    path = path_of(url).partition("?")[0].rstrip("/")
    return host_of(url).removeprefix("www.") + path


def _first(new: bool | None, before: bool) -> bool:
    return before if new is None else new


def _nonempty(values: Mapping[str, str | Sequence[str] | None]) -> list[tuple[str, Sequence[str]]]:
    listed = ((name, [texts] if isinstance(texts, str) else texts or ()) for name, texts in values.items())
    return [(name, kept) for name, texts in listed if (kept := [text for text in texts if text.strip()])]
