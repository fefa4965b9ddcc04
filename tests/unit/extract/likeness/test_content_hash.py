"""When two pages have the same text."""

from hashlib import sha256

from outrider.extract import content_hash
from outrider.extract.similarity.content_hash import hash_of_lines


def test_white_space_does_not_make_a_difference():
    assert content_hash("  one\n\ntwo\u00a0three ") == sha256(b"one two three").hexdigest()


def test_lines_do_not_make_a_difference():
    """EXT-17."""
    assert content_hash("one\ntwo three") == content_hash("one two\nthree") == content_hash("one two three")


def test_a_text_of_folded_lines_has_the_same_hash():
    text = "one two\nthr\u00e9e\nfour"

    assert hash_of_lines(text.encode()).hex() == content_hash(text)


def test_words_do():
    assert content_hash("one two") != content_hash("onetwo")
    assert content_hash("one two") != content_hash("One two")


def test_any_string_has_a_hash():
    assert len(content_hash("\ud800")) == len(content_hash("")) == 64
