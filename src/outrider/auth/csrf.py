"""Protection of forms against other sites (AUT-19). Pure.

A browser sends the session cookie with every request to us, also with those that another site causes. So a
request that changes something and is authenticated by cookie must come from our own pages, by what the
browser says about its origin, and must carry a token that only our pages know.
"""

import hmac
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from secrets import token_bytes
from urllib.parse import urlsplit

from outrider.auth.signing import derived_key

LONGEST_HEADER = 4_000
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

_LENGTH = 32  # bytes of the secret and of its mask
_PORTS = {"http": 80, "https": 443}


class CsrfVerdict(StrEnum):
    """Whether a request came from our own pages."""

    OK = "ok"
    CROSS_SITE = "cross_site"
    UNKNOWN_ORIGIN = "unknown_origin"
    BAD_TOKEN = "bad_token"

    @property
    def sentence(self) -> str:
        """What to tell the user."""
        return _SENTENCES[self]


_SENTENCES = {
    CsrfVerdict.OK: "the request came from a page of this server",
    CsrfVerdict.CROSS_SITE: "the request came from another site: send it from a page of this server",
    CsrfVerdict.UNKNOWN_ORIGIN: "the request does not say which page sent it: send an Origin header",
    CsrfVerdict.BAD_TOKEN: "the form token is missing or old: reload the page and send the form again",
}


@dataclass(frozen=True, slots=True)
class RequestOrigin:
    """What a request says about the page that sent it."""

    own: str  # scheme and host of the request itself, as in https://crawler.example:8060
    sec_fetch_site: str | None = None
    origin: str | None = None
    referer: str | None = None


def csrf_token(session_id: str, secret: bytes) -> str:
    """A token for the forms of one session, another one each time.

    Pages are compressed, and the size of a compressed page tells whether two texts in it are the same. So the
    token in a page must not be the same twice: it is a random mask, and the secret under this mask.
    """
    mask = token_bytes(_LENGTH)
    return mask.hex() + _masked(_form_secret(session_id, secret), mask).hex()


def _form_secret(session_id: str, secret: bytes) -> bytes:
    return hmac.new(derived_key(secret, "form token"), session_id.encode(), sha256).digest()


def _masked(text: bytes, mask: bytes) -> bytes:
    return bytes(one ^ other for one, other in zip(text, mask, strict=True))


def _unmasked(token: str) -> bytes:
    """What is under the mask of a token; nothing for what was never a token."""
    try:
        given = bytes.fromhex(token)
    except ValueError:
        return b""
    return _masked(given[_LENGTH:], given[:_LENGTH]) if len(given) == 2 * _LENGTH else b""


def check_csrf(
    method: str, request: RequestOrigin, token: str | None, session_id: str, secret: bytes
) -> CsrfVerdict:
    """Judge a request that is authenticated by cookie. Methods that change nothing are always right."""
    if method.upper() in SAFE_METHODS:
        return CsrfVerdict.OK
    verdict = check_origin(request)
    if verdict is not CsrfVerdict.OK:
        return verdict
    given = _unmasked((token or "")[:LONGEST_HEADER])
    is_ours = hmac.compare_digest(given, _form_secret(session_id, secret))
    return CsrfVerdict.OK if is_ours else CsrfVerdict.BAD_TOKEN


def check_origin(request: RequestOrigin) -> CsrfVerdict:
    """Every header that is there must name our own origin, and one must be there.

    Sec-Fetch-Site "none" (typed by the user) says nothing about a form, so another header has to.
    """
    own = origin_of(request.own)
    if own is None:
        return CsrfVerdict.UNKNOWN_ORIGIN
    site = (request.sec_fetch_site or "none").lower()
    if site not in ("same-origin", "none"):
        return CsrfVerdict.CROSS_SITE
    named = [header for header in (request.origin, request.referer) if header]
    if any(origin_of(header) != own for header in named):
        return CsrfVerdict.CROSS_SITE
    return CsrfVerdict.OK if named or site == "same-origin" else CsrfVerdict.UNKNOWN_ORIGIN


def origin_of(url: str) -> tuple[str, str, int] | None:
    """Scheme, host and port of a URL; None for `null` and for what is no http URL."""
    try:
        parts = urlsplit(url[:LONGEST_HEADER].strip())
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in _PORTS or not parts.hostname:
        return None
    return parts.scheme, parts.hostname.lower(), port or _PORTS[parts.scheme]
