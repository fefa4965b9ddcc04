"""Words as numbers: equal for equal words wherever they stand, and as many as there are words."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.extract.likeness.word_hashes import word_hashes

WORDS = re.compile(r"\w+")


def hashes(text: str, most: int = 1000) -> list[int]:
    return word_hashes(text, most).tolist()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("", 0, id="nothing"),
        pytest.param(" .,-!\n", 0, id="no words"),
        pytest.param("one", 1, id="from end to end"),
        pytest.param(" one, two_three; four5 ", 3, id="letters, digits and underscores"),
        pytest.param("it's", 2, id="an apostrophe separates"),
        pytest.param("Übergröße naïve", 2, id="beyond ASCII"),
        pytest.param("新聞 news", 3, id="each Chinese character is a word"),
        pytest.param("新聞news", 3, id="even without a space"),
        pytest.param("𠀀𠀁", 2, id="the rarer ones too"),
        pytest.param("\ud800 x", 1, id="half a surrogate is none"),
    ],
)
def test_there_is_a_number_for_each_word(text: str, words: int) -> None:
    assert len(hashes(text)) == words


def test_a_word_has_its_number_anywhere_and_in_any_case() -> None:
    alone, early, late = hashes("Word"), hashes("word x"), hashes("some more, then wORD!")

    assert alone[0] == early[0] == late[-1]


def test_other_words_have_other_numbers() -> None:
    words = ["ab", "ba", "aba", "abab", "a", "b", "aa", "", "0", "00"]

    assert len({*hashes(" ".join(words))}) == len(set(words) - {""})


def test_a_long_text_is_cut_between_words() -> None:
    words = [f"word{number}" for number in range(30_000)]

    assert hashes(" ".join(words), 30_000) == [hashes(word)[0] for word in words]


def test_no_more_words_are_looked_at_than_asked_for() -> None:
    assert len(hashes("a " * 500_000, 100)) == 100


@given(st.text(st.characters(codec="ascii")))
def test_ascii_words_are_those_of_a_regular_expression(text: str) -> None:
    assert len(hashes(text)) == len(WORDS.findall(text))
