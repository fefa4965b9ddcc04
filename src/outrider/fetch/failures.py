"""Maps errors of a server or the network to failures."""

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
    """There is no usable response; `failure` is its category."""

    def __init__(self, failure: Failure, message: str) -> None:
        super().__init__(message)
        self.failure = failure


def connecting_failed(error: OSError | ValueError) -> Problem:
    """Why no connection was made. A ValueError means a name that no certificate can contain."""
    match error:
        case ssl.SSLError():
            return Problem(*tls_failure(error))
        case ValueError():
            return Problem(Failure.TLS, _text_of(error))
        case ConnectionError(errno=None):
            # Both event loops raise this when the connection ends during the handshake.
            return Problem(Failure.RESET, "the server hung up during the TLS handshake")
        case _:
            return Problem(_BY_ERRNO.get(error.errno or 0, Failure.UNREACHABLE), _text_of(error))


def message_of(error: Exception) -> str:
    """One line for the user. The server may have written parts of it."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text.encode("ascii", "backslashreplace").decode()[:_LONGEST_MESSAGE]


def _text_of(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
