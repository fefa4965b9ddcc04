"""Parses one robots.txt and decides for one crawler."""

import re
from dataclasses import dataclass, field
from typing import ClassVar, Final, NamedTuple, Self

from outrider.robots.lines import EVERYONE, RobotsField, fields, names_in, names_of, readable, seconds_in
from outrider.robots.rules import (
    NOTHING_TO_SPELL,
    Rule,
    RuleSet,
    canonical_path,
    canonical_pattern,
    rules_meant,
)

MAX_BYTES: Final = 524_288

_PATH: Final = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?(?://[^/?#]*)?([^#]*)")
_CANONICAL: Final = re.compile(rf"https?://[^/?#]*(/{NOTHING_TO_SPELL})")  # most URLs that are crawled


class RobotsVerdict(NamedTuple):
    """Whether a URL may be fetched, and the line and group that decide.

    If no rule matches, `line` is None and the URL is allowed, unless robots.txt was unreachable.
    """

    allowed: bool
    line: int | None = None
    rule: str | None = None
    group: str | None = None


@dataclass(slots=True)
class _Section:
    """The rules that follow consecutive User-agent lines."""

    rules: list[Rule] = field(default_factory=list)
    delay: float | None = None
    is_closed: bool = False  # a rule was seen: the next User-agent line begins another section


@dataclass(frozen=True, slots=True)
class _Group:
    """The rules for one crawler, from all sections that name it."""

    name: str | None
    rules: RuleSet
    delay: float | None


class Robots:
    """The rules of one robots.txt. Build it with `parse`, or with `for_status` if no file could be read."""

    __slots__ = ("_groups", "_sections", "_unmatched", "sitemaps")

    ALLOW_ALL: ClassVar["Robots"]
    DISALLOW_ALL: ClassVar["Robots"]

    def __init__(self, *, unmatched: bool = True) -> None:
        self.sitemaps: list[str] = []
        self._unmatched = unmatched
        self._sections: dict[str, list[_Section]] = {}
        self._groups: dict[str, _Group] = {}

    @classmethod
    def parse(cls, body: bytes) -> Self:
        """Parse any bytes. Lines that are not valid are skipped, and so is everything past 512 KB."""
        robots = cls()
        sitemaps: dict[str, None] = {}
        section = _Section()
        for line, kind, value in fields(_whole_lines(body)):
            match kind:
                case RobotsField.USER_AGENT:
                    section = _section_after(section)
                    for name in names_in(value):
                        robots._sections.setdefault(name, []).append(section)
                case RobotsField.ALLOW | RobotsField.DISALLOW:
                    section.is_closed = True
                    if value:
                        text = f"{kind.capitalize()}: {readable(value)}"
                        rule = Rule(kind is RobotsField.ALLOW, canonical_pattern(value), text, line)
                        section.rules += rules_meant(rule)
                case RobotsField.CRAWL_DELAY:
                    seconds = seconds_in(value)
                    section.delay = section.delay if seconds is None else seconds
                case RobotsField.SITEMAP if value:
                    sitemaps[readable(value)] = None
        robots.sitemaps.extend(sitemaps)
        return robots

    @classmethod
    def for_status(cls, code: int) -> "Robots":
        """The rules for an answer without a usable file.

        An empty or missing file and a redirect without an end allow everything; a server error allows
        nothing.
        """
        return cls.ALLOW_ALL if 200 <= code < 500 else cls.DISALLOW_ALL

    def allows(self, agent: str, url: str) -> bool:
        """May `agent`, a product token or a whole User-Agent, fetch this absolute URL?"""
        return self._decide(self._group_for(agent), url)[0]

    def verdict(self, agent: str, url: str) -> RobotsVerdict:
        """Whether `agent` may fetch the URL, with the line that decides."""
        group = self._group_for(agent)
        allowed, rule = self._decide(group, url)
        if rule is None:
            return RobotsVerdict(allowed, group=group.name)
        return RobotsVerdict(allowed, rule.line, rule.text, group.name)

    def crawl_delay(self, agent: str) -> float | None:
        """The Crawl-delay of `agent` in seconds."""
        return self._group_for(agent).delay

    def _decide(self, group: _Group, url: str) -> tuple[bool, Rule | None]:
        path = _path_of(url)
        if path == "/robots.txt":
            return True, None
        rule = group.rules.deciding(path)
        return (self._unmatched if rule is None else rule.allow), rule

    def _group_for(self, agent: str) -> _Group:
        group = self._groups.get(agent)
        if group is None:
            name = next((name for name in names_of(agent) if name in self._sections), EVERYONE)
            group = self._groups[agent] = _merge(name, self._sections.get(name, []))
        return group


Robots.ALLOW_ALL = Robots()
Robots.DISALLOW_ALL = Robots(unmatched=False)


def _whole_lines(body: bytes) -> bytes:
    """The first 512 KB, without a line cut in two: half of `Allow: /press` would allow everything."""
    if len(body) < MAX_BYTES:
        return body
    end = max(body.rfind(b"\n", 0, MAX_BYTES), body.rfind(b"\r", 0, MAX_BYTES))
    return body[: end if end > 0 else MAX_BYTES]


def _section_after(section: _Section) -> _Section:
    """The section of a User-agent line, given the section before it."""
    if section.is_closed:
        return _Section()
    if section.delay is not None:
        # Only a rule ends a list of agents (RFC 9309, 2.2.4), so this agent shares the rules that follow; but
        # a delay applies to the agents above it.
        return _Section(section.rules)
    return section


def _merge(name: str, sections: list[_Section]) -> _Group:
    """Merge sections into one group. Sections split by a delay share a list of rules, which counts once."""
    lists = {id(section.rules): section.rules for section in sections}.values()
    delays = (section.delay for section in sections if section.delay is not None)
    return _Group(
        name=name if sections else None,
        rules=RuleSet(rule for rules in lists for rule in rules),
        delay=max(delays, default=None),
    )


def _path_of(url: str) -> str:
    plain = _CANONICAL.fullmatch(url)
    if plain is not None:
        return plain[1]
    found = _PATH.match(url)
    path = canonical_path(found[1]) if found is not None else ""
    return path if path.startswith("/") else f"/{path}"
