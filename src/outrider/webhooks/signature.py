"""Signatures of webhook deliveries: HMAC-SHA256 over the time and the body. Pure."""

import hashlib
import hmac
import secrets
from collections.abc import Sequence

PREFIX = "orw_"
TIMESTAMP = "Outrider-Timestamp"
SIGNATURE = "Outrider-Signature"
DELIVERY = "Outrider-Delivery"
EVENT = "Outrider-Event"
TOLERANCE_S = 300  # an older request may be a recording


def new_secret() -> str:
    """A secret with 256 random bits."""
    return PREFIX + secrets.token_urlsafe(32)


def signature_of(secret: str, timestamp: int, body: bytes) -> str:
    """The signature of one secret, as `v1=` and hexadecimal digits."""
    signed = f"{timestamp}.".encode() + body
    return "v1=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


def signed_headers(
    given: Sequence[str], timestamp: int, body: bytes, delivery_id: str, kind: str
) -> dict[str, str]:
    """The headers of a delivery, with a signature for each valid secret; without a secret there is none."""
    signatures = ",".join(signature_of(secret, timestamp, body) for secret in given)
    return {
        TIMESTAMP: str(timestamp),
        **({SIGNATURE: signatures} if signatures else {}),
        DELIVERY: delivery_id,
        EVENT: kind,
    }


def is_signed(secret: str, timestamp: str, signature: str, body: bytes, *, now: float) -> bool:
    """Whether one of the signatures is that of this body, and the request is recent."""
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        return False
    if abs(now - int(timestamp)) > TOLERANCE_S:
        return False
    wanted = signature_of(secret, int(timestamp), body).encode()
    claimed = [each.strip().encode("utf-8", "surrogatepass") for each in signature.split(",")[:10]]
    return any(hmac.compare_digest(wanted, each) for each in claimed)
