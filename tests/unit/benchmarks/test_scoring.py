"""Scores as one would reckon them by hand."""

import pytest
from benchmarks.scoring import Score, Share, of_articles, of_recipes, score, share

SIX = "one two three four five six"


@pytest.mark.parametrize(
    ("truth", "text", "expected"),
    [
        (SIX, SIX, Score(1, 1, 1)),
        (SIX, "One, two – three; four! Five six?", Score(0, 0, 1)),  # shingles mind the case, words do not
        (SIX, "one two three four five", Score(1, 2 / 3, 10 / 11)),
        ("one two three four five", SIX, Score(2 / 3, 1, 10 / 11)),
        (SIX, "six five four three two one", Score(0, 0, 1)),
        ("two words", "two words", Score(1, 1, 1)),
        (SIX, "", Score(0, 0, 0)),
        ("", "", Score(0, 1, 1)),
        ("one one", "one one one one", Score(0, 0, 2 / 3)),  # repeated words count as often as they are said
    ],
)
def test_an_article_is_scored_by_shingles_and_by_words(truth, text, expected):
    assert score(truth, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Stir the flour well today. 2 eggs, 1 cup milk", Share(2 / 3, 3 / 4, 10)),
        ("Stir the flour well today then bake", Share(1, 0, 7)),
        ("", Share(0, 0, 0)),
    ],
)
def test_of_a_recipe_it_is_known_what_must_be_there(text, expected):
    assert share("Stir the flour well today then", "2 eggs\n1 cup flour", text) == expected


def test_pages_come_together_by_their_means():
    halves = [Score(1.0, 0.5, 0.6), Score(0.5, 0.5, 0.8)]

    assert of_articles(halves) == {
        "count": 2,
        "precision": 0.75,
        "recall": 0.5,
        "shingles": pytest.approx(0.6),
        "words": pytest.approx(0.7),
    }
    assert of_recipes([Share(1, 0.5, 100), Share(0, 0.5, 300)]) == {
        "count": 2,
        "steps": 0.5,
        "ingredients": 0.5,
        "length": 200,
    }


def test_of_no_pages_nothing_is_said():
    assert of_articles([]) == of_recipes([]) == {}


def test_nothing_found_anywhere_is_nought():
    assert of_articles([Score(0, 0, 0)])["shingles"] == 0
