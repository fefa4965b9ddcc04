"""Headers in both directions: request headers that are safe to send, response headers that can be stored."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from outrider.fetch.failures import Problem
from outrider.fetch.options import FetchOptions
from outrider.fetch.outcome import Failure, Request

ACCEPT_ENCODING = "gzip, deflate, br, zstd"

_NAME = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}")
_SENDABLE = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f\ud800-\udfff]{1,4096}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
_KEEP_ALIVE_TIMEOUT = re.compile(r"timeout\s*=\s*([0-9]{1,6})", re.IGNORECASE)


def standing_headers(options: FetchOptions) -> dict[str, str]:
    """The headers of every request."""
    headers = {
        "User-Agent": options.agent,
        "Accept": options.accept,
        "Accept-Encoding": ACCEPT_ENCODING,
    }
    if options.accept_language:
        headers["Accept-Language"] = options.accept_language
    return headers


def request_headers(request: Request) -> dict[str, str] | None:
    """The headers that this request adds. A value that cannot be sent safely is left out, never repaired.

    Validators come from the server and may contain anything.
    """
    if not (request.etag or request.last_modified or request.accept or request.headers):
        return None
    wanted = {
        "If-None-Match": request.etag,
        "If-Modified-Since": request.last_modified,
        "Accept": request.accept,
        **request.headers,
    }
    return {
        name: value
        for name, value in wanted.items()
        if value and _NAME.fullmatch(name) and _SENDABLE.fullmatch(value)
    }


def response_headers(lines: Sequence[tuple[bytes, bytes]]) -> Mapping[str, str]:
    """Names in lower case, repeated ones joined, values as text that can be stored anywhere.

    The first of several Location headers counts. Raises Problem for a NUL and for a space before the
    colon, which the parser accepts.
    """
    flat: dict[str, str] = {}
    for raw_name, raw_value in lines:
        name, value = _name_of(raw_name), raw_value.decode("latin-1").strip()
        if not (value.isascii() and value.isprintable()):
            if "\x00" in value:
                raise Problem(Failure.PROTOCOL, f"a NUL in the header {name[:40]!r}")
            value = as_text(raw_value.strip())
        if name not in flat:
            flat[name] = value
        elif name != "location":
            flat[name] = f"{flat[name]}, {value}"
    return flat


@lru_cache(maxsize=256)  # servers send few different names
def _name_of(raw: bytes) -> str:
    name = raw.decode("latin-1").lower()
    if " " in name:
        raise Problem(Failure.PROTOCOL, f"a space in the name of the header {name[:40]!r}")
    return name


def as_text(value: bytes) -> str:
    """A header value as browsers read it: UTF-8 where it is valid, else Latin-1; no control characters."""
    try:
        text = value.decode()
    except UnicodeDecodeError:
        text = value.decode("latin-1")
    return _CONTROL.sub(" ", text)


def keep_alive_s(headers: Mapping[str, str]) -> float | None:
    """How long the server keeps an idle connection, by its Keep-Alive header."""
    stated = headers.get("keep-alive")
    found = _KEEP_ALIVE_TIMEOUT.search(stated) if stated else None
    return float(found[1]) if found else None
