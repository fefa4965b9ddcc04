"""From what the libraries raise to one of our names for it."""

import errno
import ssl
from collections.abc import Iterator

import aiohttp
from aiohttp import http_exceptions

from outrider.fetch.encodings import BadBody
from outrider.fetch.outcome import Failure
from outrider.fetch.wire import HeadTooLarge, MostlyFraming, ProxyRefused

_LONGEST_MESSAGE = 200

_BY_ERRNO = {
    errno.ECONNREFUSED: Failure.REFUSED,
    errno.ECONNRESET: Failure.RESET,
    errno.ECONNABORTED: Failure.RESET,
    errno.EPIPE: Failure.RESET,
    errno.ETIMEDOUT: Failure.TIMEOUT,
}


def failure_of(error: Exception) -> Failure | None:
    """Which failure this is; None for what no server or network should be able to cause.

    The order matters: these libraries derive nearly everything from OSError.
    """
    match error:
        case BadBody():
            return error.failure
        case HeadTooLarge():
            return Failure.HEADERS_TOO_LARGE
        case MostlyFraming():
            return Failure.PROTOCOL
        case ProxyRefused() | aiohttp.ClientHttpProxyError() | aiohttp.ClientProxyConnectionError():
            return Failure.PROXY
        case aiohttp.ClientConnectorDNSError():
            return Failure.DNS
        case aiohttp.ClientSSLError() | ssl.SSLError():
            return Failure.TLS
        case TimeoutError():
            return Failure.TIMEOUT
        case aiohttp.ClientConnectorError():
            return _BY_ERRNO.get(error.os_error.errno or 0, Failure.UNREACHABLE)
        case aiohttp.ServerDisconnectedError():
            return Failure.RESET
        case aiohttp.ClientResponseError() | aiohttp.ClientPayloadError():
            return _parsing_failure(error)
        case OSError():
            return _BY_ERRNO.get(error.errno or 0, Failure.RESET)
        case aiohttp.ClientConnectionError():
            return Failure.RESET
        case aiohttp.ClientError():
            return Failure.PROTOCOL
    return None


def message_of(error: Exception) -> str:
    """One line for people. Parts of it may have been written by the server."""
    text = " ".join(_text_of(error).split()).rstrip("^ ") or type(error).__name__
    return text.encode("ascii", "backslashreplace").decode()[:_LONGEST_MESSAGE]


def _text_of(error: Exception) -> str:
    match error:
        case aiohttp.ServerDisconnectedError():
            return "the server closed the connection before it had answered"
        case aiohttp.ClientResponseError() | http_exceptions.HttpProcessingError():
            return error.message
        case aiohttp.ClientPayloadError() if isinstance(error.__cause__, Exception):
            return _text_of(error.__cause__)
        case aiohttp.ClientConnectorError():
            return _text_of(error.os_error)
        case OSError(strerror=str(text)):
            return text
    return str(error)


def _parsing_failure(error: Exception) -> Failure:
    """What the parser disliked; it tells some things by type and some only in words."""
    for cause in _causes(error):
        words = str(cause)
        if isinstance(cause, http_exceptions.LineTooLong) or "Too many headers" in words:
            return Failure.HEADERS_TOO_LARGE
        if isinstance(cause, http_exceptions.PayloadEncodingError) and "Not enough data" in words:
            return Failure.SHORT_BODY
    return Failure.PROTOCOL


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__
