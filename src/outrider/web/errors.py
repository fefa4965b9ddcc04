"""Errors as JSON: one sentence, one code, the right status (APG-01)."""

from collections.abc import Mapping
from math import ceil
from typing import Any

import asyncpg
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

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
from outrider.logs import get_logger

log = get_logger()

LONGEST_SENTENCE = 2_000

# The most specific class first.
_STATUS: tuple[tuple[type[OutriderError], int, str], ...] = (
    (InvalidInput, 400, "bad_input"),
    (NotFound, 404, "not_found"),
    (Conflict, 409, "conflict"),
    (PreconditionFailed, 412, "precondition_failed"),
    (Unauthenticated, 401, "unauthenticated"),
    (TooManyRequests, 429, "too_many_requests"),
    (Denied, 403, "forbidden"),
    (Unavailable, 503, "unavailable"),
    (Misconfigured, 503, "misconfigured"),
)
_CODES = {
    400: "bad_input",
    401: "unauthenticated",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    409: "conflict",
    412: "precondition_failed",
    413: "too_large",
    414: "address_too_long",
    415: "unsupported_media_type",
    422: "invalid_fields",
    429: "too_many_requests",
    431: "too_many_headers",
    503: "unavailable",
}
NO_SUCH_PATH = "no_such_path"  # unlike an object that does not exist: a client may be newer than its server
_SENTENCES = {
    404: "there is nothing at this address",
    405: "this address does not take this method",
}


def code_of(status: int) -> str:
    """The usual code of a status."""
    return _CODES.get(status, "error")


def error_response(
    status: int,
    sentence: str,
    code: str | None = None,
    *,
    fields: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """The answer to a request that failed."""
    body: dict[str, Any] = {"error": sentence[:LONGEST_SENTENCE], "code": code or code_of(status)}
    if fields:
        body["fields"] = dict(fields)
    return JSONResponse(body, status, headers=headers)


def add_error_handlers(app: FastAPI) -> None:
    """Answer errors in the one shape; `middleware/unexpected_errors.py` answers all others."""
    app.add_exception_handler(OutriderError, _outrider_error)
    app.add_exception_handler(RequestValidationError, _invalid_fields)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(asyncpg.PostgresError, _database_error)
    app.add_exception_handler(asyncpg.InterfaceError, _database_error)
    app.add_exception_handler(ClientDisconnect, _client_left)


def status_of(error: OutriderError) -> tuple[int, str]:
    """The status and the code of an error."""
    for kind, status, code in _STATUS:
        if isinstance(error, kind):
            return status, code
    return 500, "error"


async def _outrider_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, OutriderError)
    status, code = status_of(error)
    return error_response(status, str(error), code, headers=_headers(error, status))


def _headers(error: OutriderError, status: int) -> dict[str, str]:
    if isinstance(error, TooManyRequests):
        return {"Retry-After": str(ceil(error.retry_after_s))}
    return {401: {"WWW-Authenticate": "Bearer"}, 503: {"Retry-After": "5"}}.get(status, {})


async def _invalid_fields(_: Request, error: Exception) -> Response:
    """Names each wrong field. The values are not repeated: one of them may be a password."""
    assert isinstance(error, RequestValidationError)
    fields: dict[str, str] = {}
    for each in error.errors():
        if each["type"] == "json_invalid":
            return error_response(400, "the body is not valid JSON", "bad_json")
        place = ".".join(str(part) for part in each["loc"][1:]) or str(each["loc"][0])
        fields.setdefault(place[:200], str(each["msg"]).removeprefix("Value error, ")[:500])
    named = ", ".join(list(fields)[:5])
    return error_response(422, f"these fields cannot be used: {named}", fields=fields)


async def _http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    status = error.status_code
    sentence = _SENTENCES.get(status) or str(error.detail)
    return error_response(status, sentence, NO_SUCH_PATH if status == 404 else None, headers=error.headers)


async def _database_error(_: Request, error: Exception) -> Response:
    if isinstance(error, asyncpg.DataError):  # a value that no column can hold
        return error_response(400, "a value is out of the range that can be stored", "bad_input")
    log.warning("request failed: database", error=str(error))
    return error_response(
        503, "the database cannot answer now: try again in a moment", headers={"Retry-After": "5"}
    )


async def _client_left(_: Request, __: Exception) -> Response:
    """The client left before its request was complete, or was too slow: the answer is not read."""
    return error_response(400, "the request is not complete", "bad_input")
