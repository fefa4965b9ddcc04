"""What changed between two texts: by lines, and by words within a changed line. Pure, and bounded in time.

Lines that occur once in both texts are matched first (patience diff), which takes linear time and follows
what people see. The lines between them are compared one by one as long as the budget lasts; the remaining
lines are reported as replaced.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from enum import StrEnum

CONTEXT = 3
MAX_CONTEXT = 1_000
BUDGET = 5_000_000  # comparisons: below a second
WORD_BUDGET = 500_000
MAX_MARKED_WORDS = 2_000  # of a line

_WORD = re.compile(r"\S+")


class Op(StrEnum):
    """What happened to a line."""

    SAME = " "
    REMOVED = "-"
    ADDED = "+"


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of either text; `changed` are the positions of words that differ from its counterpart."""

    op: Op
    text: str
    changed: Sequence[tuple[int, int]] = ()


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that changed together, with some around them. Line numbers begin at 1."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    lines: Sequence[DiffLine]

    @property
    def header(self) -> str:
        return f"@@ -{self.old_start},{self.old_count} +{self.new_start},{self.new_count} @@"


@dataclass(frozen=True, slots=True)
class Difference:
    """All hunks. Not `is_exact`: the texts are so large that unchanged lines may be reported as changed."""

    hunks: Sequence[Hunk]
    added: int  # lines
    removed: int
    is_exact: bool


@dataclass(slots=True)
class _Budget:
    left: int
    was_enough: bool = field(default=True)

    def spend(self, cost: int) -> bool:
        """Whether there is enough left for a step of this cost."""
        if cost > self.left:
            self.was_enough = False
            return False
        self.left -= cost
        return True


# Start and end in the old sequence, start and end in the new one.
Range = tuple[int, int, int, int]


def difference(old: str, new: str, context: int = CONTEXT, budget: int = BUDGET) -> Difference:
    """What changed from `old` to `new`."""
    a, b = _lines(old), _lines(new)
    lines, words = _Budget(budget), _Budget(min(budget, WORD_BUDGET))
    changes = _merged(_changes(a, b, lines))
    hunks = [_hunk(a, b, group, context, words) for group in _groups(changes, context)]
    return Difference(
        hunks,
        added=sum(j2 - j1 for _, _, j1, j2 in changes),
        removed=sum(i2 - i1 for i1, i2, _, _ in changes),
        is_exact=lines.was_enough,
    )


def _lines(text: str) -> list[str]:
    return text.split("\n") if text else []


def _changes(a: Sequence[str], b: Sequence[str], budget: _Budget) -> list[Range]:
    """The ranges that differ, in order."""
    found: list[Range] = []
    waiting = [(0, len(a), 0, len(b))]
    while waiting:
        i1, i2, j1, j2 = _trimmed(a, b, waiting.pop())
        if i1 == i2 or j1 == j2 or not budget.spend(i2 - i1 + j2 - j1):
            found.append((i1, i2, j1, j2))
        elif anchors := _anchors(a, b, (i1, i2, j1, j2)):
            waiting += reversed(_between((i1, i2, j1, j2), anchors))
        elif budget.spend((i2 - i1) * (j2 - j1) * min(i2 - i1, j2 - j1)):
            matcher = SequenceMatcher(None, a[i1:i2], b[j1:j2], autojunk=False)
            for op, di1, di2, dj1, dj2 in matcher.get_opcodes():
                if op != "equal":
                    found.append((i1 + di1, i1 + di2, j1 + dj1, j1 + dj2))
        else:
            found.append((i1, i2, j1, j2))
    return [each for each in found if each[0] != each[1] or each[2] != each[3]]


def _trimmed(a: Sequence[str], b: Sequence[str], within: Range) -> Range:
    """The range without the common beginning and end."""
    i1, i2, j1, j2 = within
    while i1 < i2 and j1 < j2 and a[i1] == b[j1]:
        i1, j1 = i1 + 1, j1 + 1
    while i1 < i2 and j1 < j2 and a[i2 - 1] == b[j2 - 1]:
        i2, j2 = i2 - 1, j2 - 1
    return i1, i2, j1, j2


def _anchors(a: Sequence[str], b: Sequence[str], within: Range) -> list[tuple[int, int]]:
    """Positions of lines that occur once in both texts and in the same order."""
    i1, i2, j1, j2 = within
    in_a, in_b = Counter(a[i1:i2]), Counter(b[j1:j2])
    at = {line: j for j, line in enumerate(b[j1:j2], j1) if in_b[line] == 1}
    pairs = [(i, at[line]) for i, line in enumerate(a[i1:i2], i1) if in_a[line] == 1 and line in at]
    return _longest_rising(pairs)


def _longest_rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest selection of `pairs` whose second numbers rise, too."""
    ends: list[int] = []  # the smallest last number of a selection of each length
    places: list[int] = []  # which pair that is
    before: list[int] = []  # by pair: the one before it in its selection
    for n, (_, j) in enumerate(pairs):
        length = bisect_left(ends, j)
        before.append(places[length - 1] if length else -1)
        ends[length : length + 1] = [j]
        places[length : length + 1] = [n]
    chosen: list[tuple[int, int]] = []
    n = places[-1] if places else -1
    while n >= 0:
        chosen.append(pairs[n])
        n = before[n]
    return chosen[::-1]


def _between(within: Range, anchors: Sequence[tuple[int, int]]) -> list[Range]:
    i1, i2, j1, j2 = within
    gaps = []
    for i, j in (*anchors, (i2, j2)):
        gaps.append((i1, i, j1, j))
        i1, j1 = i + 1, j + 1
    return gaps


def _merged(changes: Sequence[Range]) -> list[Range]:
    """Ranges that touch become one."""
    merged: list[Range] = []
    for change in changes:
        if merged and merged[-1][1] == change[0] and merged[-1][3] == change[2]:
            merged[-1] = (merged[-1][0], change[1], merged[-1][2], change[3])
        else:
            merged.append(change)
    return merged


def _groups(changes: Sequence[Range], context: int) -> Iterator[list[Range]]:
    """Groups of changes whose context lines overlap."""
    group: list[Range] = []
    for change in changes:
        if group and change[0] - group[-1][1] > 2 * context:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _hunk(a: Sequence[str], b: Sequence[str], group: Sequence[Range], context: int, budget: _Budget) -> Hunk:
    lead = min(context, group[0][0])
    start = i = group[0][0] - lead
    new_start = group[0][2] - lead
    end = min(group[-1][1] + context, len(a))
    lines: list[DiffLine] = []
    for i1, i2, j1, j2 in group:
        lines += (DiffLine(Op.SAME, line) for line in a[i:i1])
        lines += _changed(a[i1:i2], b[j1:j2], budget)
        i = i2
    lines += (DiffLine(Op.SAME, line) for line in a[i:end])
    removed = sum(line.op is Op.REMOVED for line in lines)
    added = sum(line.op is Op.ADDED for line in lines)
    same = len(lines) - removed - added
    # As in diff: an empty range has the number of the line before it.
    return Hunk(
        old_start=start + (same + removed > 0),
        old_count=same + removed,
        new_start=new_start + (same + added > 0),
        new_count=same + added,
        lines=lines,
    )


def _changed(old: Sequence[str], new: Sequence[str], budget: _Budget) -> Iterator[DiffLine]:
    """Removed lines, then added lines; with the words that differ if each line has a counterpart."""
    marks = [_marks(*pair, budget) for pair in zip(old, new, strict=True)] if len(old) == len(new) else []
    for n, line in enumerate(old):
        yield DiffLine(Op.REMOVED, line, marks[n][0] if marks else ())
    for n, line in enumerate(new):
        yield DiffLine(Op.ADDED, line, marks[n][1] if marks else ())


def _marks(
    old: str, new: str, budget: _Budget
) -> tuple[Sequence[tuple[int, int]], Sequence[tuple[int, int]]]:
    """The positions of the words that differ; none if all words differ."""
    a, b = list(_WORD.finditer(old)), list(_WORD.finditer(new))
    if max(len(a), len(b)) > MAX_MARKED_WORDS:
        return (), ()
    changes = _changes([word[0] for word in a], [word[0] for word in b], budget)
    if sum(i2 - i1 for i1, i2, _, _ in changes) == len(a):
        return (), ()
    return (
        [(a[i1].start(), a[i2 - 1].end()) for i1, i2, _, _ in changes if i1 < i2],
        [(b[j1].start(), b[j2 - 1].end()) for _, _, j1, j2 in changes if j1 < j2],
    )
