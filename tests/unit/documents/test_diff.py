"""What changed between two texts."""

import difflib
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outrider.documents.diff import Difference, Op, difference


def unified(found: Difference) -> list[str]:
    return [
        text for hunk in found.hunks for text in (hunk.header, *(line.op + line.text for line in hunk.lines))
    ]


def applied(old: str, found: Difference) -> str:
    """The new text, made from the old one and the difference."""
    lines = old.split("\n") if old else []
    made: list[str] = []
    at = 0
    for hunk in found.hunks:
        start = hunk.old_start - 1 if hunk.old_count else hunk.old_start
        made += lines[at:start]
        old_side = [line.text for line in hunk.lines if line.op is not Op.ADDED]
        assert old_side == lines[start : start + hunk.old_count]
        made += [line.text for line in hunk.lines if line.op is not Op.REMOVED]
        assert len(made) - hunk.new_count == (hunk.new_start - 1 if hunk.new_count else hunk.new_start)
        at = start + hunk.old_count
    return "\n".join(made + lines[at:])


TEXTS = st.lists(st.sampled_from(["a", "b", "c", "d", "e f g", "e f h"]), max_size=30).map("\n".join)


def edited(text: str, edits: list[tuple[int, str | None]]) -> str:
    """The text with some lines replaced, or taken out."""
    lines: list[str | None] = list(text.split("\n"))
    for place, line in edits:
        lines[place % len(lines)] = line
    return "\n".join(line for line in lines if line is not None)


EDITS = st.lists(st.tuples(st.integers(0, 40), st.sampled_from(["new", "a", None])), max_size=4)
PAIRS = st.tuples(TEXTS, TEXTS) | st.tuples(
    st.permutations([f"line {n}" for n in range(40)]).map("\n".join), EDITS
).map(lambda pair: (pair[0], edited(*pair)))


@given(PAIRS, st.integers(0, 4), st.sampled_from([0, 20, 200, 5_000_000]))
@settings(max_examples=300, deadline=None)
def test_the_difference_leads_from_one_text_to_the_other(texts, context, budget):
    old, new = texts
    found = difference(old, new, context, budget)

    assert applied(old, found) == new
    assert (found.hunks == []) == (old == new)


def test_it_looks_as_diff_u_writes_it():
    old = "\n".join(f"line {n}" for n in range(1, 31))
    new = old.replace("line 4\n", "line four\n").replace("line 20\n", "").replace("line 30", "line 30\nend")

    expected = list(difflib.unified_diff(old.split("\n"), new.split("\n"), lineterm=""))[2:]

    assert unified(difference(old, new)) == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "a\nb", ["@@ -0,0 +1,2 @@", "+a", "+b"]),
        ("a", "", ["@@ -1,1 +0,0 @@", "-a"]),
        ("a\nb", "a\nb", []),
        ("", "", []),
    ],
)
def test_texts_that_are_empty_or_the_same(old, new, expected):
    assert unified(difference(old, new)) == expected


def test_the_words_that_differ_are_marked_on_both_sides():
    found = difference("The bridge opens on Monday.", "The old bridge opens on Friday.")

    [hunk] = found.hunks
    marked = [[line.text[start:end] for start, end in line.changed] for line in hunk.lines]
    assert marked == [["Monday."], ["old", "Friday."]]


def test_lines_that_share_no_word_have_no_marks():
    [hunk] = difference("one two", "three four").hunks

    assert [list(line.changed) for line in hunk.lines] == [[], []]


def test_added_and_removed_lines_are_counted():
    found = difference("a\nb\nc", "a\nB\nc\nd\ne")

    assert (found.removed, found.added, found.is_exact) == (1, 3, True)


HOSTILE = {
    "the same line again and again": ("x\n" * 300_000, "x\n" * 150_000 + "y\n" + "x\n" * 150_001),
    "two lines in turn": ("x\ny\n" * 200_000, "y\nx\nx\n" * 150_000),
    "lines in another order": (
        "\n".join(map(str, range(200_000))),
        "\n".join(map(str, random.Random(1).sample(range(200_000), 200_000))),
    ),
    "one line of many words": ("word " * 400_000, "other " * 300_000),
}


@pytest.mark.parametrize(("old", "new"), HOSTILE.values(), ids=HOSTILE)
def test_texts_made_to_take_for_ever_are_compared_within_the_budget(old, new):
    found = difference(old, new)

    assert applied(old, found) == new


def test_what_the_budget_does_not_reach_is_reported_as_replaced():
    old, new = "x\ny\n" * 50, "y\nx\nx\n" * 50

    assert difference(old, new).is_exact
    assert not difference(old, new, budget=1_000).is_exact
