"""Heads: the bytes of a request, and how a response frames its body."""

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from itertools import chain
from urllib.parse import urlencode

from outrider.fetch.failures import Problem
from outrider.fetch.options import FetchOptions
from outrider.fetch.outcome import Failure

_WITHOUT_BODY = frozenset({101, 204, 304})


class Framing(Enum):
    """How a body ends."""

    NO_BODY = auto()
    LENGTH = auto()
    CHUNKED = auto()
    CONNECTION = auto()  # it ends when the server closes the connection


class HeadTooLarge(Problem):
    """Status line and headers, or the trailers of a body, exceed their limit."""

    def __init__(self, limit: str) -> None:
        super().__init__(Failure.HEADERS_TOO_LARGE, f"headers of more than {limit}")


def request_bytes(
    target: str,
    authority: str,
    lines: str,
    form: Mapping[str, str] | None = None,
    *,
    json: bytes | None = None,
    is_head: bool = False,
) -> bytes:
    """The bytes of a GET or HEAD, or of a POST if there is a form or JSON."""
    if form is None and json is None:
        method = "HEAD" if is_head else "GET"
        return f"{method} {target} HTTP/1.1\r\nHost: {authority}\r\n{lines}\r\n".encode()
    if json is not None:
        kind, body = "application/json", json
    else:
        kind, body = "application/x-www-form-urlencoded", urlencode(form or {}).encode()
    head = (
        f"POST {target} HTTP/1.1\r\nHost: {authority}\r\n{lines}"
        f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def header_lines(standing: Mapping[str, str], added: Mapping[str, str]) -> str:
    """The header lines of a request. `added` replaces `standing` headers of the same name, in any case."""
    replaced = {name.lower() for name in added}
    kept = [(name, value) for name, value in standing.items() if name.lower() not in replaced]
    return "".join([f"{name}: {value}\r\n" for name, value in (*kept, *added.items())])


def bound_head(lines: Sequence[tuple[bytes, bytes]], options: FetchOptions) -> None:
    """Raise HeadTooLarge if the head exceeds a limit."""
    if len(lines) > options.head_lines:
        raise HeadTooLarge(f"{options.head_lines} lines")
    size = sum(map(len, chain.from_iterable(lines)))
    # The usual head is shorter than one line may be, so no line of it is looked at.
    if size > options.head_line_bytes and _longest(lines) > options.head_line_bytes:
        raise HeadTooLarge(f"{options.head_line_bytes} bytes in one line")
    if size > options.head_bytes:
        raise HeadTooLarge(f"{options.head_bytes} bytes")


def _longest(lines: Sequence[tuple[bytes, bytes]]) -> int:
    return max(len(name) + len(value) for name, value in lines)


def framing_of(status: int, headers: Mapping[str, str]) -> Framing:
    """The same framing as the parser finds; raises Problem for transfer codings that were not requested."""
    if status in _WITHOUT_BODY:
        return Framing.NO_BODY
    if (codings := headers.get("transfer-encoding")) is not None:
        names = [name.strip() for name in codings.lower().split(",")]
        if not {"chunked", "identity"}.issuperset(names):
            raise Problem(Failure.PROTOCOL, f"transfer encoding {codings[:40]!r}, which we did not ask for")
        return Framing.CHUNKED if names[-1] == "chunked" else Framing.CONNECTION
    return Framing.LENGTH if "content-length" in headers else Framing.CONNECTION
