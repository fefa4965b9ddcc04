"""The compiled signature is the same number for number, so that stored ones stay comparable."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outrider.extract.similarity.reference_signature import reference_signature
from outrider.extract.similarity.signature import signature

word = st.sampled_from(
    ("alpha", "Beta", "γ", "漢字", "x_y", "Łódź", "straße", "İ", "ไทย", "😀", "𠀀", "a1", "-")
)


@given(st.lists(word, max_size=200).map(" ".join))
@settings(max_examples=150, derandomize=True, deadline=None, database=None)
def test_any_words_have_the_same_signature(text: str) -> None:
    assert signature(text) == reference_signature(text)
    assert signature(text.encode()) == reference_signature(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "word " * 24,
        "word " * 25,
        "a" * 70_000 + " " + "b c d " * 5_000,  # a piece without a space to cut at
        "x" * 65_535 + " y z " * 9_000,
        "ab " * 40_000,
        "é" * 100_000 + " a b c" * 100,
        "漢字かな" * 30_000,
        "one two\ud800three " * 50,
        "a b c d e " * 2_000,  # few shingles, again and again
        " ".join(f"w{n * n % 97}" for n in range(900)),
    ],
    ids=range(10),
)
def test_long_and_odd_texts_have_the_same_signature(text: str) -> None:
    assert signature(text) == reference_signature(text)
