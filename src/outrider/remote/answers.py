"""Answers of a server: their JSON, or the error that they are. Pure."""

import json
from collections.abc import Mapping
from typing import Any

from outrider.errors import (
    Conflict,
    Denied,
    InvalidInput,
    Misconfigured,
    NotFound,
    OutriderError,
    PreconditionFailed,
    TooManyRequests,
    Unauthenticated,
    Unavailable,
)

NO_SUCH_PATH = "no_such_path"  # the code of an address that the server does not have
LONGEST_SENTENCE = 2_000
MOST_FIELDS = 5
USUAL_WAIT_S = 60.0

_ERRORS: Mapping[int, type[OutriderError]] = {
    400: InvalidInput,
    403: Denied,
    404: NotFound,
    409: Conflict,
    412: PreconditionFailed,
    413: InvalidInput,
    422: InvalidInput,
    503: Unavailable,
}


def read_answer(url: str, status: int, headers: Mapping[str, str], body: bytes, *, has_token: bool) -> Any:
    """The JSON of a successful answer, None for an empty one; raises the error of any other."""
    if 300 <= status < 400:
        target = headers.get("Location", "another address")[:LONGEST_SENTENCE]
        raise Misconfigured(f"the server at {url} redirects to {target}: set OUTRIDER_URL to that server")
    if status == 204:
        return None
    value = _parsed(url, status, body)
    if 200 <= status < 300:
        return value
    raise _error(url, status, value, headers, has_token=has_token)


def other_version(url: str) -> Misconfigured:
    """The error for an answer of another shape than this version expects."""
    return Misconfigured(
        f"the server at {url} has another version of Outrider than this command: use the same version on both"
    )


def _parsed(url: str, status: int, body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        if status >= 500:  # of a proxy in front of it
            raise Unavailable(f"the server at {url} cannot answer now ({status}): try again later") from None
        raise Misconfigured(
            f"there is no Outrider server at {url}: its answer ({status}) is no JSON; check OUTRIDER_URL"
        ) from None


def _error(
    url: str, status: int, value: Any, headers: Mapping[str, str], *, has_token: bool
) -> OutriderError:
    sentence = value.get("error") if isinstance(value, dict) else None
    if not isinstance(sentence, str):
        return Misconfigured(f"there is no Outrider server at {url}: check OUTRIDER_URL")
    sentence = sentence[:LONGEST_SENTENCE]
    if status == 401:
        return Unauthenticated(_how_to_sign_in(url, has_token=has_token))
    if status == 429:
        return TooManyRequests(sentence, _wait_s(headers))
    if value.get("code") == NO_SUCH_PATH:
        return other_version(url)
    if status == 422:
        sentence = _with_fields(sentence, value.get("fields"))
    kind = _ERRORS.get(status, Unavailable)
    return kind(sentence if status in _ERRORS else f"the server at {url} failed: {sentence}")


def _how_to_sign_in(url: str, *, has_token: bool) -> str:
    said = "does not accept OUTRIDER_TOKEN" if has_token else "needs a token in OUTRIDER_TOKEN"
    how = "`outrider token create NAME --user USER` on the server makes one"
    return f"the server at {url} {said}: {how}"


def _with_fields(sentence: str, fields: Any) -> str:
    if not isinstance(fields, dict) or not fields:
        return sentence
    told = "; ".join(f"{name}: {why}" for name, why in list(fields.items())[:MOST_FIELDS])
    return f"the server refuses {told}"[:LONGEST_SENTENCE]


def _wait_s(headers: Mapping[str, str]) -> float:
    text = headers.get("Retry-After", "")
    return float(text) if text.isascii() and text.isdigit() and len(text) < 6 else USUAL_WAIT_S
