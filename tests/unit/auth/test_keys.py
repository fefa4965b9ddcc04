"""Keys are random, and are compared without telling how much of them was right."""

from outrider.auth.keys import hash_key, is_same_secret, new_key


def test_a_key_is_random_and_known_by_its_hash():
    keys = {new_key("ort_").key for _ in range(100)}
    key, key_hash = new_key("ort_")

    assert len(keys) == 100
    assert key.startswith("ort_")
    assert len(key) >= 4 + 43
    assert hash_key(key) == key_hash
    assert len(key_hash) == 32


def test_secrets_are_the_same_or_not():
    assert is_same_secret("abc", "abc")
    for other in ("", "ab", "abcd", "abd", "é", "\ud800"):
        assert not is_same_secret(other, "abc")
