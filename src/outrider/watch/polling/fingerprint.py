"""Short digests that tell whether content changed. Pure."""

from collections.abc import Iterable
from hashlib import blake2b

_BYTES = 12


class Fingerprint:
    """The digest of a sequence of strings."""

    def __init__(self, parts: Iterable[str] = ()) -> None:
        self._digest = blake2b(digest_size=_BYTES)
        for part in parts:
            self.add(part)

    def add(self, part: str) -> None:
        self._digest.update(part.encode("utf-8", "surrogatepass") + b"\n")

    def __str__(self) -> str:
        return self._digest.hexdigest()


def fingerprint_of(chunks: Iterable[bytes]) -> str:
    """The digest of a body."""
    digest = blake2b(digest_size=_BYTES)
    for chunk in chunks:
        digest.update(chunk)
    return digest.hexdigest()
