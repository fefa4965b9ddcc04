"""A storm of one kind is some alerts and one for the rest."""

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from outrider.alerts.folding import folded
from outrider.alerts.model import AlertKind, AlertSubject, Condition, SubjectKind

REST = "feed_errors:more"


def feeds(*numbers: int) -> list[Condition]:
    return [
        Condition(
            AlertKind.FEED_ERRORS, {"errors": 10}, AlertSubject(SubjectKind.SOURCE, str(UUID(int=n)), f"s{n}")
        )
        for n in numbers
    ]


def keys(conditions: list[Condition]) -> list[str]:
    return [each.key for each in conditions]


def test_few_conditions_stay_as_they_are():
    found = [Condition(AlertKind.NO_WORKERS), *feeds(1, 2, 3)]

    assert sorted(keys(folded(found, (), 3))) == sorted(keys(found))


def test_the_rest_is_one_condition_with_its_number():
    found = folded(feeds(*range(1, 225)), (), 10)

    assert keys(found) == [*keys(feeds(*range(1, 11))), REST]
    assert found[-1].numbers == {"more": 214}


def test_known_alerts_keep_their_place():
    known = keys(feeds(7, 8))
    found = folded(feeds(1, 2, 3, 7, 8), known, 3)

    assert keys(found) == [*keys(feeds(7, 8, 1)), REST]


def test_an_alert_that_waits_for_its_end_takes_a_place():
    known = keys(feeds(8, 9))

    assert keys(folded(feeds(1, 2), known, 2)) == [REST]


def test_the_rest_is_told_one_by_one_when_all_of_it_has_a_place():
    known = [*keys(feeds(1)), REST]

    assert keys(folded(feeds(1, 2, 3, 4), known, 3)) == [*keys(feeds(1)), REST]
    assert keys(folded(feeds(1, 2, 3), known, 3)) == keys(feeds(1, 2, 3))


def test_other_kinds_have_places_of_their_own():
    other = Condition(AlertKind.DEAD_LINKS, {}, AlertSubject(SubjectKind.SITE, "1", "shop"))

    assert keys(folded([*feeds(1, 2), other], keys(feeds(5, 6)), 2)) == [other.key, REST]


@given(st.lists(st.sets(st.integers(1, 30)), min_size=1, max_size=20), st.integers(min_value=1, max_value=5))
def test_there_are_never_more_alerts_than_places_and_one(passes, most):
    known: set[str] = set()
    for numbers in passes:
        now = folded(feeds(*sorted(numbers)), known, most)
        told = sum(each.numbers.get("more", 1) for each in now)
        # What does not hold any more is closed at once, or stays known for a while: both are tried.
        known = {*keys(now), *([*known][: len(numbers) % 3])}

        assert len({*keys(now)} - {REST}) <= most
        assert told == len(numbers), "each subject is told once, alone or in the rest"
