"""Words as numbers: equal for equal words wherever they stand, and as many as there are words."""

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.extract.similarity.word_hashes import word_hashes

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


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param("Word x", "word \u201cx\u201d", id="beside a curly quote"),
        pytest.param("word x", "word 新", id="beside Chinese"),
        pytest.param("ПРАВДА", "правда", id="Cyrillic capitals"),
        pytest.param("ΛΟΓΟΣ", "λογος", id="a sigma at the end"),
        pytest.param("international", "(international)", id="a long one"),
    ],
)
def test_a_word_has_its_number_whatever_stands_beside_it(first: str, second: str) -> None:
    assert hashes(first)[0] == hashes(second)[0]


def test_a_word_is_known_by_its_first_eight_characters_and_its_last_eight() -> None:
    one, other, same = hashes("12345678x90123456 12345678x90123457 12345678y90123456")

    assert one == same != other


def test_each_chinese_character_has_a_number_of_its_own() -> None:
    text = "".join(map(chr, range(0x4E00, 0x9FA6)))

    assert len({*hashes(text, len(text))}) == len(text)


def test_each_short_word_has_a_number_of_its_own() -> None:
    letters = "abcdefghijklmnopqrstuvwxyz0123456789_"
    words = [*letters, *map("".join, product(letters, repeat=2)), *map("".join, product(letters, repeat=3))]

    assert len({*hashes(" ".join(words), len(words))}) == len(words)


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
