"""WebSub without the network: what is sent to a hub, and what it may send to us. Pure.

A hub calls back at an address that only we and it know: the subscription's number and a token made from the
secret we share. What it pushes counts only when it is signed with that secret.
"""

import hashlib
import hmac
from collections.abc import Mapping

DAY_S = 86_400.0
LEASE_S = 7 * DAY_S  # what we ask for
LONGEST_LEASE_S = 30 * DAY_S
SHORTEST_LEASE_S = 300.0
RENEW_AT = 0.75  # of the lease: early enough for a hub that is down for a while
ALGORITHMS = frozenset({"sha1", "sha256", "sha384", "sha512"})


def subscription(callback: str, topic: str, secret: str) -> dict[str, str]:
    """The form that asks a hub for pushes."""
    return {
        "hub.mode": "subscribe",
        "hub.callback": callback,
        "hub.topic": topic,
        "hub.secret": secret,
        "hub.lease_seconds": str(round(LEASE_S)),
    }


def unsubscription(callback: str, topic: str) -> dict[str, str]:
    """The form that asks a hub to stop."""
    return {"hub.mode": "unsubscribe", "hub.callback": callback, "hub.topic": topic}


def callback_of(base: str, subscription_id: int, secret: str) -> str:
    """Where a hub reaches us about one subscription."""
    return f"{base.rstrip('/')}/{subscription_id}/{token_of(secret)}"


def token_of(secret: str) -> str:
    """Says that whoever knows it was told by us; the secret itself stays out of addresses and logs."""
    return hmac.new(secret.encode(), b"callback", hashlib.sha256).hexdigest()[:32]


def is_token(secret: str, token: str) -> bool:
    return hmac.compare_digest(token_of(secret).encode(), token.encode("utf-8", "surrogatepass"))


def is_signed(secret: str, body: bytes, header: str | None) -> bool:
    """Does X-Hub-Signature, `method=hex`, prove that this body is from whoever has the secret?"""
    method, _, claimed = (header or "").strip().partition("=")
    if method.lower() not in ALGORITHMS:
        return False
    proof = hmac.new(secret.encode(), body, method.lower()).hexdigest()
    return hmac.compare_digest(proof.encode(), claimed.strip().lower().encode("utf-8", "surrogatepass"))


def granted_s(query: Mapping[str, str]) -> float:
    """For how long a hub will push, within reason; it may say nothing, or nonsense."""
    granted = query.get("hub.lease_seconds", "")
    lease_s = float(granted[:12]) if granted.isascii() and granted.isdigit() else LEASE_S
    return min(max(lease_s, SHORTEST_LEASE_S), LONGEST_LEASE_S)
