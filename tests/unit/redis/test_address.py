"""The ways an address of Valkey is written, and that what is secret in it is never shown."""

import pytest

from outrider.redis.address import Address, read_address


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("localhost:6379", Address("localhost", 6379)),
        ("cache.internal", Address("cache.internal", 6379)),
        (" 10.0.0.7:7000 ", Address("10.0.0.7", 7000)),
        ("[::1]:7000", Address("::1", 7000)),
        ("redis://cache:7000/3", Address("cache", 7000, db=3)),
        ("redis://cache/", Address("cache", 6379)),
        ("rediss://me:se%40cret@cache", Address("cache", tls=True, username="me", password="se@cret")),
        ("redis://:secret@cache", Address("cache", password="secret")),
        ("unix:///run/val%20key.sock", Address(path="/run/val key.sock")),
        ("unix://:secret@/run/valkey.sock", Address(path="/run/valkey.sock", password="secret")),
    ],
)
def test_an_address_may_be_written_in_many_ways(text, expected):
    assert read_address(text) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it names no host"),
        ("cache:port", "it is no address"),
        ("cache:99999", "it is no address"),
        ("[::1", "it is no address"),
        ("http://cache", "redis://, rediss:// or unix://"),
        ("redis://cache/three", "not the number of a database"),
        ("redis://cache/70000", "not the number of a database"),
        ("redis://cache?timeout=1", "only the password"),
        ("unix://run/valkey.sock", "the whole path"),
        ("unix://", "the whole path"),
    ],
)
def test_what_cannot_be_one_is_refused_with_a_reason(text, reason):
    with pytest.raises(ValueError, match=reason):
        read_address(text)


@pytest.mark.parametrize("text", ["redis://me:s3cret@cache:1/2", "unix://:s3cret@/run/v.sock"])
def test_neither_text_nor_repr_says_the_password(text):
    address = read_address(text)

    assert "s3cret" not in f"{address} {address!r}"


@pytest.mark.parametrize(
    "text", ["redis://localhost:6379", "rediss://cache:7000/3", "redis://[::1]:7000", "unix:///run/v.sock"]
)
def test_what_is_shown_can_be_read_again(text):
    assert str(read_address(text)) == text
