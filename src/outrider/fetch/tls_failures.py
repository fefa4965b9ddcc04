"""Why TLS came to nothing: by one of our names, with what it means and what can be done about it."""

import ssl
from collections.abc import Mapping

from outrider.fetch.outcome import Failure

MEANINGS: Mapping[Failure, str] = {
    Failure.CERTIFICATE_EXPIRED: "its certificate has expired: its owner must renew it",
    Failure.CERTIFICATE_NOT_YET_VALID: "its certificate is not valid yet: is this machine's clock right?",
    Failure.CERTIFICATE_WRONG_NAME: (
        "its certificate is for another name: check the address, with and without www"
    ),
    Failure.CERTIFICATE_SELF_SIGNED: (
        "its certificate is self-signed: if you know it to be genuine, name it in OUTRIDER_CA_FILE"
    ),
    Failure.CERTIFICATE_UNKNOWN_ISSUER: (
        "its certificate was issued by nobody this machine trusts: the server must send the whole chain, "
        "or OUTRIDER_CA_FILE name the issuer"
    ),
    Failure.CERTIFICATE_INVALID: "its certificate is not acceptable",
    Failure.TLS_TOO_OLD: "it speaks no TLS newer than 1.1, which is not safe: its owner must upgrade it",
    Failure.NOT_TLS: "what answers there does not speak TLS: try http://, or another port",
    Failure.TLS: "it does not agree with us on TLS",
}
TLS_FAILURES = frozenset(MEANINGS)

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
    return failure, f"{MEANINGS[failure]} ({detail})" if failure in _VAGUE else MEANINGS[failure]


def _named(error: ssl.SSLError) -> tuple[Failure, str]:
    if isinstance(error, ssl.SSLCertVerificationError):
        return _BY_VERIFY_CODE.get(error.verify_code, Failure.CERTIFICATE_INVALID), error.verify_message
    said = error.strerror or str(error)
    return next((failure for words, failure in _BY_WORDS.items() if words in said), Failure.TLS), said
