"""What OpenSSL says in versions that are not at hand here; the rest is in the integration tests."""

import ssl

import pytest

from outrider.fetch import Failure
from outrider.fetch.tls_failures import tls_failure


@pytest.mark.parametrize(
    ("said", "failure"),
    [
        ("[SSL] record layer failure (_ssl.c:1033)", Failure.NOT_TLS),
        ("[SSL: UNABLE_TO_DECODE_ECDH_CERTS] record layer failure (_ssl.c:1091)", Failure.NOT_TLS),
        ("[SSL: PACKET_LENGTH_TOO_LONG] packet length too long (_ssl.c:1006)", Failure.NOT_TLS),
        ("[SSL: UNSUPPORTED_PROTOCOL] unsupported protocol (_ssl.c:1006)", Failure.TLS_TOO_OLD),
        ("[SSL: TLSV1_UNRECOGNIZED_NAME] tlsv1 unrecognized name (_ssl.c:1006)", Failure.TLS),
        ("", Failure.TLS),
    ],
)
def test_the_words_decide_whatever_name_python_has_for_them(said, failure):
    assert tls_failure(ssl.SSLError(1, said))[0] is failure
