"""Maps TLS errors to failures, with a sentence about the cause and the remedy."""

import ssl

from outrider.fetch.outcome import Failure

TLS_FAILURES = frozenset(
    {
        Failure.CERTIFICATE_EXPIRED,
        Failure.CERTIFICATE_NOT_YET_VALID,
        Failure.CERTIFICATE_WRONG_NAME,
        Failure.CERTIFICATE_SELF_SIGNED,
        Failure.CERTIFICATE_UNKNOWN_ISSUER,
        Failure.CERTIFICATE_INVALID,
        Failure.TLS_TOO_OLD,
        Failure.NOT_TLS,
        Failure.TLS,
    }
)

_BY_VERIFY_CODE = {  # OpenSSL's X509_V_ERR_*
    2: Failure.CERTIFICATE_UNKNOWN_ISSUER,
    9: Failure.CERTIFICATE_NOT_YET_VALID,
    10: Failure.CERTIFICATE_EXPIRED,
    18: Failure.CERTIFICATE_SELF_SIGNED,
    19: Failure.CERTIFICATE_UNKNOWN_ISSUER,  # the server sent the issuer, which is self-signed
    20: Failure.CERTIFICATE_UNKNOWN_ISSUER,
    21: Failure.CERTIFICATE_UNKNOWN_ISSUER,
    27: Failure.CERTIFICATE_UNKNOWN_ISSUER,
    62: Failure.CERTIFICATE_WRONG_NAME,
    64: Failure.CERTIFICATE_WRONG_NAME,  # of an address
}

# By the message of OpenSSL: Python has no name, or a wrong one, for errors of a newer OpenSSL.
_BY_WORDS = {
    "wrong version number": Failure.NOT_TLS,
    "record layer failure": Failure.NOT_TLS,  # the same, since OpenSSL 3.2
    "packet length too long": Failure.NOT_TLS,
    "unsupported protocol": Failure.TLS_TOO_OLD,
    "alert protocol version": Failure.TLS_TOO_OLD,
}

# A general failure needs the message of OpenSSL.
_VAGUE = frozenset({Failure.CERTIFICATE_INVALID, Failure.TLS})


def tls_failure(error: ssl.SSLError) -> tuple[Failure, str]:
    """The failure, and a sentence about it."""
    failure, detail = _named(error)
    return failure, f"{failure.sentence} ({detail})" if failure in _VAGUE else failure.sentence


def _named(error: ssl.SSLError) -> tuple[Failure, str]:
    if isinstance(error, ssl.SSLCertVerificationError):
        return _BY_VERIFY_CODE.get(error.verify_code, Failure.CERTIFICATE_INVALID), error.verify_message
    said = error.strerror or str(error)
    return next((failure for words, failure in _BY_WORDS.items() if words in said), Failure.TLS), said
