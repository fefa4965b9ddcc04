"""Why TLS came to nothing: by one of our names, with what it means and what can be done about it."""

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
    19: Failure.CERTIFICATE_UNKNOWN_ISSUER,  # the issuer was sent along, and vouches for itself
    20: Failure.CERTIFICATE_UNKNOWN_ISSUER,
    21: Failure.CERTIFICATE_UNKNOWN_ISSUER,
    27: Failure.CERTIFICATE_UNKNOWN_ISSUER,
    62: Failure.CERTIFICATE_WRONG_NAME,
    64: Failure.CERTIFICATE_WRONG_NAME,  # of an address
}

# By OpenSSL's words: Python has no name for those of a newer OpenSSL, or a wrong one.
_BY_WORDS = {
    "wrong version number": Failure.NOT_TLS,
    "record layer failure": Failure.NOT_TLS,  # the same, since OpenSSL 3.2
    "packet length too long": Failure.NOT_TLS,
    "unsupported protocol": Failure.TLS_TOO_OLD,
    "alert protocol version": Failure.TLS_TOO_OLD,
}

# A general name needs OpenSSL's own words to be of use.
_VAGUE = frozenset({Failure.CERTIFICATE_INVALID, Failure.TLS})


def tls_failure(error: ssl.SSLError) -> tuple[Failure, str]:
    """What kept us from speaking TLS, and a sentence about it."""
    failure, detail = _named(error)
    return failure, f"{failure.sentence} ({detail})" if failure in _VAGUE else failure.sentence


def _named(error: ssl.SSLError) -> tuple[Failure, str]:
    if isinstance(error, ssl.SSLCertVerificationError):
        return _BY_VERIFY_CODE.get(error.verify_code, Failure.CERTIFICATE_INVALID), error.verify_message
    said = error.strerror or str(error)
    return next((failure for words, failure in _BY_WORDS.items() if words in said), Failure.TLS), said
