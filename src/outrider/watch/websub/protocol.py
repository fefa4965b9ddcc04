"""WebSub without the network: requests to a hub, and checks of what a hub sends. Pure.

A hub calls back at an address that only the hub and Outrider know: it holds the subscription's number and a
token derived from the shared secret. A push counts only if it is signed with that secret.
"""

import hashlib
import hmac
from collections.abc import Mapping

DAY_S = 86_400.0
LEASE_S = 7 * DAY_S  # the lease that a request asks for
LONGEST_LEASE_S = 30 * DAY_S
SHORTEST_LEASE_S = 300.0
RENEW_AT = 0.75  # share of the lease: leaves time for a hub that is down for a while
ALGORITHMS = frozenset({"sha1", "sha256", "sha384", "sha512"})


def subscription(callback: str, topic: str, secret: str) -> dict[str, str]:
    """The form of a subscription request."""
    return {
        "hub.mode": "subscribe",
        "hub.callback": callback,
        "hub.topic": topic,
        "hub.secret": secret,
        "hub.lease_seconds": str(round(LEASE_S)),
    }


def unsubscription(callback: str, topic: str) -> dict[str, str]:
    """The form of an unsubscription request."""
    return {"hub.mode": "unsubscribe", "hub.callback": callback, "hub.topic": topic}


def callback_of(base: str, subscription_id: int, secret: str) -> str:
    """The callback address of one subscription."""
    return f"{base.rstrip('/')}/{subscription_id}/{token_of(secret)}"


def token_of(secret: str) -> str:
    """The token that proves knowledge of the callback. The secret itself stays out of addresses and logs."""
    return hmac.new(secret.encode(), b"callback", hashlib.sha256).hexdigest()[:32]


def is_token(secret: str, token: str) -> bool:
    return hmac.compare_digest(token_of(secret).encode(), token.encode("utf-8", "surrogatepass"))


def is_signed(secret: str, body: bytes, header: str | None) -> bool:
    """Whether X-Hub-Signature (`method=hex`) is the signature of this body with this secret."""
    method, _, claimed = (header or "").strip().partition("=")
    if method.lower() not in ALGORITHMS:
        return False
    proof = hmac.new(secret.encode(), body, method.lower()).hexdigest()
    return hmac.compare_digest(proof.encode(), claimed.strip().lower().encode("utf-8", "surrogatepass"))


def granted_s(query: Mapping[str, str]) -> float:
    """The lease that a hub grants, within bounds; the default if the value is missing or invalid."""
    granted = query.get("hub.lease_seconds", "")
    lease_s = float(granted[:12]) if granted.isascii() and granted.isdigit() else LEASE_S
    return min(max(lease_s, SHORTEST_LEASE_S), LONGEST_LEASE_S)
