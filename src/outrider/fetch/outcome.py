"""The outcomes of one HTTP request: a closed set of values, matched in `crawl/decide.py`.

Outcomes of every page are named tuples: creating one is three times as fast as a frozen dataclass.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

from outrider.described import DescribedName
from outrider.fetch.spool import Spool


class Failure(DescribedName):
    """Why there is no usable response: the names and sentences of reports."""

    DNS = "dns_failure", "its host name does not resolve"
    REFUSED = "connection_refused", "nothing is listening there (connection refused)"
    RESET = "connection_reset", "the server hangs up"
    UNREACHABLE = "host_unreachable", "the host cannot be reached"
    CERTIFICATE_EXPIRED = "certificate_expired", "its certificate has expired: its owner must renew it"
    CERTIFICATE_NOT_YET_VALID = (
        "certificate_not_yet_valid",
        "its certificate is not valid yet: is this machine's clock right?",
    )
    CERTIFICATE_WRONG_NAME = (
        "certificate_wrong_name",
        "its certificate is for another name: check the address, with and without www",
    )
    CERTIFICATE_SELF_SIGNED = (
        "certificate_self_signed",
        "its certificate is self-signed: if you know it to be genuine, name it in OUTRIDER_CA_FILE",
    )
    CERTIFICATE_UNKNOWN_ISSUER = (
        "certificate_unknown_issuer",
        "this machine does not trust the issuer of its certificate: the server must send the whole chain, "
        "or OUTRIDER_CA_FILE must name the issuer",
    )
    CERTIFICATE_INVALID = "certificate_invalid", "its certificate is not acceptable"  # for any other reason
    NOT_TLS = "not_tls", "what answers there does not speak TLS: try http://, or another port"
    TLS_TOO_OLD = (
        "tls_too_old",
        "it speaks no TLS newer than 1.1, which is not safe: its owner must upgrade it",
    )
    TLS = "tls_failure", "it does not agree with us on TLS"  # in any other way
    TIMEOUT = "timeout", "it does not answer in time"
    PROTOCOL = "protocol_error", "its answer is not valid HTTP"
    SHORT_BODY = "incomplete_body", "it sends fewer bytes than it announces"
    BAD_ENCODING = "bad_content_encoding", "its body cannot be decompressed"
    HEADERS_TOO_LARGE = "headers_too_large", "it sends too many headers, or headers that are too long"
    TOO_LARGE = "too_large", "it is larger than OUTRIDER_MAX_BODY allows"
    PROXY = "proxy_failure", "the proxy does not pass the request on"

    @property
    def is_transient(self) -> bool:
        """Whether the same request may succeed later."""
        return self not in _PERMANENT


_PERMANENT = frozenset({Failure.TOO_LARGE, Failure.HEADERS_TOO_LARGE})


class Refusal(DescribedName):
    """Why no request was sent."""

    BLOCKED_ADDRESS = (
        "blocked_address",
        "its address is not public (OUTRIDER_ALLOW_PRIVATE={network} allows it)",
    )
    INVALID_URL = "invalid_url", "its address cannot be requested"
    NO_CONTACT = "no_contact", "no contact is set, and it is on the public web (see OUTRIDER_CONTACT)"


class Exchange(NamedTuple):
    """What every response has: address, status, headers and duration."""

    url: str
    status: int
    headers: Mapping[str, str]  # names lower-cased; repeated ones joined with ", "
    elapsed_ms: int
    wire_bytes: int = 0
    address: str | None = None  # the checked address of the connection


class Fetched(NamedTuple):
    """A 2xx with its whole decompressed body, in `file` instead of `body` if the request says so."""

    exchange: Exchange
    body: bytes
    content_type: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    file: Spool | None = None


@dataclass(frozen=True, slots=True)
class NotModified:
    """304: the stored page is current."""

    exchange: Exchange


@dataclass(frozen=True, slots=True)
class Redirected:
    """301, 302, 303, 307 or 308. `target` is normalised, or None if it cannot be followed (see `why`).

    `follow` is the same address as the server spells it, and the one to request next: `/docs` and
    `/docs/` have one normalised URL, while the server may answer only the second.
    """

    exchange: Exchange
    location: str
    target: str | None
    why: str | None = None
    follow: str | None = None


@dataclass(frozen=True, slots=True)
class Rejected:
    """Any other response: 4xx, 5xx, or a 3xx that is not a redirect."""

    exchange: Exchange
    retry_after_s: float | None = None  # already capped; from seconds or an HTTP date
    body: bytes = b""  # the beginning of the body, if the request asks for it


@dataclass(frozen=True, slots=True)
class Failed:
    """There is no usable response."""

    url: str
    failure: Failure
    message: str
    elapsed_ms: int
    status: int | None = None
    address: str | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """No request was sent: the address is not allowed, or the URL is not valid."""

    url: str
    refusal: Refusal
    message: str


Outcome = Fetched | NotModified | Redirected | Rejected | Failed | Refused


@dataclass(frozen=True, slots=True)
class Hop:
    """One redirect followed."""

    url: str
    status: int
    target: str
    at: datetime | None = None


class Request(NamedTuple):
    """One request to make. Limits that are None take the value of the fetcher's options."""

    url: str  # normalised
    etag: str | None = None
    last_modified: str | None = None
    timeout_s: float | None = None
    max_bytes: int | None = None
    accept: str | None = None
    truncate: bool = False  # keep the first max_bytes instead of failing (robots.txt)
    only_html: bool = False  # leave the body of anything else unread
    spool: bool = False  # put the body in a file, so that a large one costs no memory
    headers: Mapping[str, str] = MappingProxyType({})
    form: Mapping[str, str] | None = None  # to POST; without form and JSON this is a GET
    json: bytes | None = None  # to POST as application/json
    is_head: bool = False  # HEAD instead of GET: the outcome is the same, its body is empty
    error_bytes: int = 0  # keep this much of the body of an error answer
