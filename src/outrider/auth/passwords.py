"""Hashes and verifies passwords with Argon2id, a few at a time and never on the event loop."""

import asyncio
import unicodedata

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from outrider.errors import InvalidInput, TooManyRequests

SHORTEST = 10  # characters
LONGEST = 1024
AT_ONCE = 2  # each takes the memory below
# The smallest parameters that OWASP recommends: a crawler often runs on a small machine.
TIME_COST, MEMORY_KIB, PARALLELISM = 2, 19_456, 1
MOST_WAITING = 32
BUSY_S = 2.0

_BUSY = "too many people sign in at this moment: try again in a few seconds"


class Passwords:
    """Hashes passwords in threads. More than `MOST_WAITING` callers at once are refused."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher(TIME_COST, MEMORY_KIB, PARALLELISM)
        self._places = asyncio.Semaphore(AT_ONCE)
        self._waiting = 0
        self._dummy: str | None = None

    async def hash(self, password: str) -> str:
        """The hash to store; raises InvalidInput if the policy refuses the password."""
        checked = check_password(password)
        return await self._in_thread(checked, None) or ""

    async def verify(self, stored: str | None, given: str) -> bool:
        """Whether the password is right. Without a stored hash this takes as long, and is False.

        So the time of an answer does not show which user names exist.
        """
        if stored is None and self._dummy is None:
            self._dummy = await self._in_thread("no user has this password", None)
        is_right = await self._in_thread(_normalised(given[:LONGEST]), stored or self._dummy) is not None
        return is_right and stored is not None and len(given) <= LONGEST

    async def rehash(self, password: str) -> str:
        """A hash with today's parameters of a password that was right, whatever the policy is now."""
        return await self._in_thread(_normalised(password), None) or ""

    def needs_rehash(self, stored: str) -> bool:
        """Whether the hash was made with other parameters than today's."""
        try:
            return self._hasher.check_needs_rehash(stored)
        except InvalidHashError:
            return True

    async def _in_thread(self, password: str, stored: str | None) -> str | None:
        """A new hash; or with a stored one that hash, None if the password is wrong."""
        if self._waiting >= MOST_WAITING:
            raise TooManyRequests(_BUSY, BUSY_S)
        self._waiting += 1
        try:
            async with self._places:
                return await asyncio.to_thread(self._work, password, stored)
        finally:
            self._waiting -= 1

    def _work(self, password: str, stored: str | None) -> str | None:
        if stored is None:
            return self._hasher.hash(password)
        try:
            self._hasher.verify(stored, password)
        except (VerificationError, InvalidHashError):
            return None
        return stored


def check_password(password: str) -> str:
    """The password in the form that is hashed; raises InvalidInput with what to change."""
    if len(password) < SHORTEST:
        raise InvalidInput(f"a password has at least {SHORTEST} characters: choose a longer one")
    if len(password) > LONGEST:
        raise InvalidInput(f"a password has at most {LONGEST:,} characters: choose a shorter one")
    if any("\ud800" <= each <= "\udfff" for each in password):
        raise InvalidInput("the password is not valid Unicode text: choose another one")
    return _normalised(password)


def _normalised(password: str) -> str:
    """Keyboards write the same letter in several ways; all of them are one password."""
    replaced = password.encode("utf-8", "replace").decode("utf-8")
    return unicodedata.normalize("NFKC", replaced)
