"""Where a mutation goes in a file, and what a run's results mean for its exit code."""

from dataclasses import replace

import pytest
from mutants.model import Mutant, Result, Stale, Verdict, exit_code

MUTANT = Mutant(
    requirement="FRO-01",
    breaks="Sums are wrong.",
    file="src/outrider/frontier/sql/sums.sql",
    find="a + b",
    replace="a - b",
    tests=("tests/test_sums.py::test_sums",),
)


def test_the_text_is_replaced_where_it_stands():
    assert MUTANT.apply("return a + b;") == "return a - b;"


@pytest.mark.parametrize(("occurrence", "mutated"), [(1, "a - b, a + b"), (2, "a + b, a - b")])
def test_of_several_the_one_that_is_named_is_replaced(occurrence: int, mutated: str):
    assert replace(MUTANT, occurrence=occurrence).apply("a + b, a + b") == mutated


@pytest.mark.parametrize(
    ("text", "changes", "problem"),
    [
        ("a * b", {}, "has no such text"),
        ("a + b, a + b", {}, "2 times; say which"),
        ("a + b", {"occurrence": 1}, "1 times; occurrence 1 is wrong"),
        ("a + b, a + b", {"occurrence": 3}, "2 times; occurrence 3 is wrong"),
        ("a + b, a + b", {"occurrence": 0}, "2 times; occurrence 0 is wrong"),
        ("a + b", {"replace": "a + b"}, "the replacement is the text itself"),
        ("a + b", {"find": ""}, "has no such text"),
    ],
)
def test_a_text_that_is_not_there_as_declared_is_stale(text: str, changes: dict[str, object], problem: str):
    with pytest.raises(Stale, match=problem):
        replace(MUTANT, **changes).apply(text)


@pytest.mark.parametrize(
    ("file", "room", "module"),
    [
        ("src/outrider/frontier/sql/sums.sql", "frontier", None),
        ("src/outrider/crawl/robots/rules.py", "crawl", "outrider.crawl.robots.rules"),
        ("src/outrider/urls/__init__.py", "urls", "outrider.urls"),
        ("src/outrider/durations.py", "ground", "outrider.durations"),
    ],
)
def test_a_mutant_belongs_to_the_room_of_its_file(file: str, room: str, module: str | None):
    mutant = replace(MUTANT, file=file)

    assert (mutant.room, mutant.module) == (room, module)


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        ([Verdict.KILLED, Verdict.TIMED_OUT], 0),
        ([Verdict.KILLED, Verdict.SURVIVED], 1),
        ([Verdict.STALE, Verdict.SURVIVED], 2),
        ([Verdict.KILLED, Verdict.BROKEN], 2),
    ],
)
def test_survivors_end_with_1_and_a_wrong_catalogue_with_2(verdicts: list[Verdict], code: int):
    assert exit_code([Result(MUTANT, verdict) for verdict in verdicts]) == code
