"""How many words there are, and whether they are enough."""

import pytest

from outrider.extract.article.quality import count_words, passes, word_bucket


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("one", 1),
        ("one two\nthree", 3),
        ("Straße für Fußgänger", 3),
        ("桥" * 100, 51),
        ("橋は短すぎると議会が言った。" * 20, 131),
    ],
)
def test_words_are_counted_with_and_without_spaces(text, words):
    assert count_words(text) == words


@pytest.mark.parametrize(("words", "is_enough"), [(0, False), (49, False), (50, True), (5000, True)])
def test_fewer_than_fifty_words_are_too_few(words, is_enough):
    """EXT-12."""
    assert passes(words) == is_enough


@pytest.mark.parametrize(
    ("words", "bucket"),
    [
        (0, "lt_50"),
        (49, "lt_50"),
        (50, "lt_100"),
        (199, "lt_200"),
        (200, "lt_500"),
        (999, "lt_1000"),
        (1999, "lt_2000"),
        (2000, "ge_2000"),
        (10**9, "ge_2000"),
    ],
)
def test_every_page_falls_into_one_bar_of_the_histogram(words, bucket):
    """EXT-15."""
    assert word_bucket(words) == bucket
