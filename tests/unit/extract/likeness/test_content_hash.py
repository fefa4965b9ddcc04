"""When two pages have the same text."""

from hashlib import sha256

from outrider.extract import content_hash


def test_white_space_does_not_make_a_difference():
    assert content_hash("  one\n\ntwo\u00a0three ") == sha256(b"one two three").hexdigest()


def test_words_do():
    assert content_hash("one two") != content_hash("onetwo")
    assert content_hash("one two") != content_hash("One two")


def test_any_string_has_a_hash():
    assert len(content_hash("\ud800")) == len(content_hash("")) == 64
