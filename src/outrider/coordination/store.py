"""What a lock needs from the servers that keep it."""

from dataclasses import dataclass
from typing import Protocol

from outrider.coordination.retries import Retries


@dataclass(frozen=True, slots=True)
class Grant:
    """A lock was taken. `fence` grows with each acquisition, where the store counts them."""

    fence: int | None = None


class LockStore(Protocol):
    """Keeps locks. Each call may be repeated, and raises Unavailable when too few servers answer."""

    lock_retries: Retries  # of a caller that waits for a lock
    candidate_retries: Retries  # of a candidate, which comes again after a few seconds anyway

    async def try_acquire(self, name: str, token: str, ttl_s: float) -> Grant | None:
        """Take the lock if it is free, or if it has this token; None if it is not."""

    async def extend(self, name: str, token: str, ttl_s: float) -> bool:
        """Let the lock live `ttl_s` from now, if it has this token and has not expired."""

    async def release(self, name: str, token: str) -> bool:
        """Free the lock if it has this token; says whether it did."""

    async def close(self) -> None:
        """Close the connections that the store opened."""
