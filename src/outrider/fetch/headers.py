"""Headers in both directions: ours fit to send, theirs fit to keep."""

import re
from collections.abc import Mapping

from multidict import CIMultiDictProxy

from outrider.fetch.options import FetchOptions
from outrider.fetch.outcome import Request

ACCEPT_ENCODING = "gzip, deflate, br, zstd"

_NAME = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}")
_SENDABLE = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f\ud800-\udfff]{1,4096}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
_KEEP_ALIVE_TIMEOUT = re.compile(r"timeout\s*=\s*([0-9]{1,6})", re.IGNORECASE)


def standing_headers(options: FetchOptions) -> dict[str, str]:
    """What every request carries."""
    headers = {
        "User-Agent": options.agent,
        "Accept": options.accept,
        "Accept-Encoding": ACCEPT_ENCODING,
    }
    if options.accept_language:
        headers["Accept-Language"] = options.accept_language
    return headers


def request_headers(request: Request) -> dict[str, str] | None:
    """What this request adds. A value that cannot be sent safely is left out, never repaired.

    Validators come from the server that is asked and may hold anything.
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


def response_headers(headers: CIMultiDictProxy[str]) -> Mapping[str, str]:
    """Names in lower case, repeated ones joined, values as text that can be stored anywhere."""
    flat: dict[str, str] = {}
    for raw_name, raw_value in headers.items():
        name = raw_name.lower()
        value = raw_value if raw_value.isascii() and raw_value.isprintable() else as_text(raw_value)
        flat[name] = f"{flat[name]}, {value}" if name in flat else value
    return flat


def as_text(value: str) -> str:
    """A header value as browsers read it: UTF-8 where it is valid, else Latin-1; no control characters."""
    try:
        text = value.encode("utf-8", "surrogateescape").decode()
    except UnicodeEncodeError:
        text = value.encode("utf-8", "replace").decode()
    except UnicodeDecodeError:
        text = value.encode("utf-8", "surrogateescape").decode("latin-1")
    return _CONTROL.sub(" ", text)


def keep_alive_s(headers: Mapping[str, str]) -> float | None:
    """How long the server says it keeps an idle connection."""
    found = _KEEP_ALIVE_TIMEOUT.search(headers.get("keep-alive", ""))
    return float(found[1]) if found else None
