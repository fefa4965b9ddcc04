"""Keys of sites: a random text that is shown once. The database has only its hash."""

import hmac
import secrets
from hashlib import sha256

PREFIX = "ork_"
_SHORTEST, _LONGEST = 20, 200


def new_key() -> str:
    """A key with 256 random bits."""
    return PREFIX + secrets.token_urlsafe(32)


def hash_of(key: str) -> bytes:
    """What the database has of a key. The key is random, so a fast hash is enough."""
    return sha256(key.encode(errors="replace")).digest()


def is_plausible(key: str) -> bool:
    """Whether a text can be a key at all."""
    return key.startswith(PREFIX) and _SHORTEST <= len(key) <= _LONGEST


def is_same(one: bytes, other: bytes) -> bool:
    """Compare two hashes in a time that does not depend on their contents."""
    return hmac.compare_digest(one, other)
