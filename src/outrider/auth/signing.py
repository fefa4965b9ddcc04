"""Keys for one purpose each, from one secret. Pure."""

import hmac
from hashlib import sha256


def derived_key(secret: bytes, purpose: str) -> bytes:
    """A key that is of no use for another purpose, and does not give the secret away."""
    return hmac.digest(secret, f"outrider {purpose}".encode(), sha256)
