"""The promises of every parser, for examples written by hand and for what chance makes of them."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.fuzz.mutate import LONGEST, mutated
from tests.fuzz.subjects import SUBJECTS, Subject

EXAMPLES = {"imports": 40}
MOST_EXAMPLES = 60
each_subject = pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)


@each_subject
def test_every_example_of_the_corpus_holds(subject: Subject) -> None:
    assert len(subject.corpus) >= 10

    with subject.checking() as check:
        for data in subject.corpus:
            check(data)


@each_subject
def test_every_worse_example_holds(subject: Subject) -> None:
    corpus = subject.corpus

    @given(dice=st.randoms(use_true_random=False))
    @settings(
        max_examples=EXAMPLES.get(subject.name, MOST_EXAMPLES),
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    def holds(dice: random.Random) -> None:
        check(mutated(dice, corpus))

    with subject.checking() as check:
        holds()


def test_the_same_dice_make_the_same_mutations() -> None:
    corpus = [b"one example", b"<another>"]

    made = [[mutated(random.Random(seed), corpus) for seed in range(50)] for _ in range(2)]

    assert made[0] == made[1]
    assert len(set(made[0])) > 40
    assert max(map(len, made[0])) <= LONGEST
