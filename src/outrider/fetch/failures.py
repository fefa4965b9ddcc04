"""What a server or the network did to us, by one of our names for it."""

import errno
import ssl

from outrider.fetch.outcome import Failure
from outrider.fetch.tls_failures import tls_failure

_LONGEST_MESSAGE = 200

_BY_ERRNO = {
    errno.ECONNREFUSED: Failure.REFUSED,
    errno.ECONNRESET: Failure.RESET,
    errno.ECONNABORTED: Failure.RESET,
    errno.EPIPE: Failure.RESET,
    errno.ETIMEDOUT: Failure.TIMEOUT,
}


class Problem(Exception):
    """No usable answer; `failure` says how it counts."""

    def __init__(self, failure: Failure, message: str) -> None:
        super().__init__(message)
        self.failure = failure


def connecting_failed(error: OSError | ValueError) -> Problem:
    """What kept a connection from being made. A ValueError is a name that no certificate can hold."""
    match error:
        case ssl.SSLError():
            return Problem(*tls_failure(error))
        case ValueError():
            return Problem(Failure.TLS, _text_of(error))
        case ConnectionError(errno=None):
            # The event loops' own way to say that TLS had only begun.
            return Problem(Failure.RESET, "the server hung up during the TLS handshake")
        case _:
            return Problem(_BY_ERRNO.get(error.errno or 0, Failure.UNREACHABLE), _text_of(error))


def message_of(error: Exception) -> str:
    """One line for people. Parts of it may have been written by the server."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text.encode("ascii", "backslashreplace").decode()[:_LONGEST_MESSAGE]


def _text_of(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
