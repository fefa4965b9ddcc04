"""Random keys, and the hash under which a key is stored.

A key has 256 random bits, so that one round of SHA-256 is enough: there is nothing to guess. A password gets
a slow hash instead, see `passwords.py`.
"""

import hmac
from hashlib import sha256
from secrets import token_urlsafe
from typing import NamedTuple, Protocol

import asyncpg

RANDOM_BYTES = 32
LONGEST_KEY = 500  # characters that are looked at


class NewKey(NamedTuple):
    """A new key. It is shown once; only its hash is stored."""

    key: str
    key_hash: bytes


class SiteKeys(Protocol):
    """Finds the owned site of a key. The package that issues site keys implements it."""

    async def site_of(self, db: asyncpg.Connection, key_hash: bytes) -> int | None: ...


def new_key(prefix: str = "") -> NewKey:
    """A random key that begins with `prefix`."""
    key = prefix + token_urlsafe(RANDOM_BYTES)
    return NewKey(key, hash_key(key))


def hash_key(key: str) -> bytes:
    """The SHA-256 of a key, which is what the database stores."""
    return sha256(key.encode("utf-8", "surrogatepass")).digest()


def is_same_secret(given: str, expected: str) -> bool:
    """Compare in constant time, whatever the lengths are."""
    return hmac.compare_digest(hash_key(given), hash_key(expected))
