"""Allow and Disallow rules: pattern matching, and which of many rules decides."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, Self

# Patterns with `*` are matched one by one, so their number is bounded.
_MAX_STARRED: Final = 5_000

# Unreserved characters, and the reserved characters that mean the same escaped and unescaped in a rule.
_BARE: Final = r"A-Za-z0-9._~!&'()+,;=:@\-"
_IS_BARE: Final = re.compile(f"[{_BARE}]")
NOTHING_TO_SPELL: Final = f"[{_BARE}/?]*"  # the pattern of a path and query in canonical form
_NOTHING_TO_SPELL: Final = re.compile(NOTHING_TO_SPELL)
_INDEX: Final = re.compile(r"/index\.html?\$?\Z")
_TO_SPELL: Final = re.compile(rf"%[0-9A-Fa-f]{{2}}|[^{_BARE}/?#\[\]*$%]")


@dataclass(frozen=True, slots=True)
class Rule:
    """One Allow or Disallow line of robots.txt."""

    allow: bool
    pattern: str  # in canonical spelling
    text: str  # as written
    line: int

    @property
    def rank(self) -> int:
        """The longer pattern wins, and Allow wins a tie."""
        return 2 * len(self.pattern) + self.allow


def canonical_path(path: str) -> str:
    """A URL's path and query in the canonical form that patterns are compared in (RFC 9309, 2.2.2).

    A `*` or `$` in a URL is an ordinary character, which a pattern writes as `%2A` or `%24`.
    """
    if _NOTHING_TO_SPELL.fullmatch(path):
        return path
    return _spell(path.encode("utf-8", "replace")).replace("*", "%2A").replace("$", "%24")


def canonical_pattern(value: bytes) -> str:
    """A rule's pattern in canonical form; `*` and a final `$` stay special."""
    pattern = _spell(value)
    if not pattern.startswith(("/", "*", "$")):
        pattern = f"/{pattern}"  # `Disallow: private/` can only be meant one way
    return pattern[:-1].replace("$", "%24") + pattern[-1]


def rules_meant(rule: Rule) -> Iterator[Rule]:
    """The rule, and further rules that its author probably meant.

    A rule that allows a directory's index page also allows the directory. A final `$` in a Disallow means the
    end of the path, but also disallows a path that ends in a dollar sign: its author may not know `$`.
    """
    yield rule
    if rule.allow and (index := _INDEX.search(rule.pattern)):
        yield replace(rule, pattern=f"{rule.pattern[: index.start()]}/$")
    if not rule.allow and rule.pattern.endswith("$"):
        yield replace(rule, pattern=f"{rule.pattern[:-1]}%24$")


def _spell(octets: bytes) -> str:
    return _TO_SPELL.sub(_spell_one, octets.decode("latin-1"))


def _spell_one(found: re.Match[str]) -> str:
    text = found[0]
    character = chr(int(text[1:], 16)) if len(text) == 3 else text
    return character if _IS_BARE.match(character) else f"%{ord(character):02X}"


class _Glob(NamedTuple):
    """A rule whose pattern has stars, split at the stars."""

    rank: int
    needle: str  # the longest piece: a path without it cannot match
    head: str
    pieces: list[str]
    tail: str  # what the path must end with when the pattern ends in `$`, else empty
    rule: Rule

    @classmethod
    def of(cls, rule: Rule) -> Self:
        cuts = rule.pattern.removesuffix("$").split("*")
        needle = max(cuts, key=len)
        head, *pieces = cuts
        tail = pieces.pop() if rule.pattern.endswith("$") else ""
        return cls(rule.rank, needle, head, [piece for piece in pieces if piece], tail, rule)


class RuleSet:
    """All rules of one group, indexed so that matching is fast for any number of rules."""

    __slots__ = ("_exact", "_globs", "_lengths", "_prefixes")

    def __init__(self, rules: Iterable[Rule]) -> None:
        best: dict[str, Rule] = {}
        for rule in rules:
            known = best.get(rule.pattern)
            if known is None or rule.rank > known.rank:
                best[rule.pattern] = rule
        starred = [_Glob.of(rule) for pattern, rule in best.items() if "*" in pattern]
        plain = {pattern: rule for pattern, rule in best.items() if "*" not in pattern}
        self._globs = sorted(starred[:_MAX_STARRED], key=lambda glob: -glob.rank)
        self._exact = {pattern[:-1]: rule for pattern, rule in plain.items() if pattern.endswith("$")}
        self._prefixes = {pattern: rule for pattern, rule in plain.items() if not pattern.endswith("$")}
        self._lengths = sorted({len(pattern) for pattern in self._prefixes}, reverse=True)

    def deciding(self, path: str) -> Rule | None:
        """The rule that decides about a canonical path; None when none matches."""
        best = self._exact.get(path) or self._longest_prefix(path)
        floor = best.rank if best is not None else 0
        for glob in self._globs:
            if glob.rank <= floor:
                break
            if glob.needle in path and _matches(glob, path):
                return glob.rule
        return best

    def _longest_prefix(self, path: str) -> Rule | None:
        prefixes = self._prefixes
        for length in self._lengths:
            rule = prefixes.get(path[:length])
            if rule is not None:
                return rule
        return None


def _matches(glob: _Glob, path: str) -> bool:
    """Whether the pieces occur in order between head and tail.

    The first match of a piece leaves the most room for the rest, so no backtracking is needed.
    """
    if not (path.startswith(glob.head) and path.endswith(glob.tail)):
        return False
    start, end = len(glob.head), len(path) - len(glob.tail)
    for piece in glob.pieces:
        found = path.find(piece, start, end)
        if found < 0:
            return False
        start = found + len(piece)
    return start <= end
