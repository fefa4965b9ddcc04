"""Stream tokens: signed, for one path, valid for a minute. For EventSource, which cannot send headers. Pure.

A stream token may be used several times within its minute, so that a browser whose connection breaks can
reconnect to the same address. It lies in addresses and so in logs of proxies; therefore it opens one stream
only, reads only, ends soon, and stops working when the credential that it came from is revoked.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

import jwt

from outrider.auth.model import Principal, ProvenBy
from outrider.auth.signing import derived_key
from outrider.errors import Denied, Unauthenticated

LIFE = timedelta(seconds=60)
LEEWAY_S = 5
LONGEST_TOKEN = 2_000
LONGEST_PATH = 500

_ALGORITHM = "HS256"
_AUDIENCE = "outrider-stream"
_CLAIMS = ["sub", "aud", "gen", "via", "vid", "path", "iat", "exp"]
_MAY_ISSUE = (ProvenBy.SESSION, ProvenBy.JWT, ProvenBy.API_TOKEN)


@dataclass(frozen=True, slots=True)
class StreamClaims:
    """Whom a stream token acts for, and the credential that it came from."""

    user_id: int
    generation: int
    via: ProvenBy
    via_id: str


def issue_stream_token(principal: Principal, generation: int, path: str, secret: bytes, now: datetime) -> str:
    """A token for one path; raises Denied for a caller that is no user."""
    via_id = principal.session_id or principal.token_id
    if principal.proven_by not in _MAY_ISSUE or principal.user_id is None or via_id is None:
        raise Denied("only a user who signed in or uses an API token can get a stream token")
    if not path.startswith("/") or len(path) > LONGEST_PATH:
        raise Denied("a stream token is for one path that begins with /")
    claims = {
        "sub": str(principal.user_id),
        "aud": _AUDIENCE,
        "gen": generation,
        "via": principal.proven_by.value,
        "vid": via_id,
        "path": path,
        "iat": now,
        "exp": now + LIFE,
    }
    return jwt.encode(claims, derived_key(secret, _AUDIENCE), algorithm=_ALGORITHM)


def read_stream_token(token: str, path: str, secret: bytes, *, may_be_over: bool = False) -> StreamClaims:
    """The claims of a token for this path; raises Unauthenticated if it is not valid here and now.

    `may_be_over`: the minute may have passed, because the stream is open already.
    """
    if len(token) > LONGEST_TOKEN:
        raise Unauthenticated("the stream token is too long to be one of Outrider")
    try:
        claims = jwt.decode(
            token,
            derived_key(secret, _AUDIENCE),
            algorithms=[_ALGORITHM],
            audience=_AUDIENCE,
            leeway=LEEWAY_S,
            options={"require": _CLAIMS, "verify_exp": not may_be_over},
        )
        found = StreamClaims(
            int(claims["sub"]), int(claims["gen"]), ProvenBy(claims["via"]), str(claims["vid"])
        )
        if found.via is ProvenBy.JWT:
            UUID(found.via_id)
    except jwt.ExpiredSignatureError:
        raise Unauthenticated("the stream token has expired: ask for a new one") from None
    except (jwt.PyJWTError, ValueError, TypeError, OverflowError, AttributeError, RecursionError):
        raise Unauthenticated("the stream token is not valid: ask for a new one") from None
    if claims["path"] != path:
        raise Unauthenticated("the stream token is for another stream: ask for one for this path")
    return found
