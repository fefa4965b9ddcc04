"""Signatures of deliveries."""

import hashlib
import hmac

import pytest

from outrider.webhooks.signature import is_signed, new_secret, signature_of, signed_headers

BODY = b'{"a": 1}'


def test_a_signature_is_an_hmac_of_time_and_body():
    wanted = hmac.new(b"orw_secret", b"1700000000." + BODY, hashlib.sha256).hexdigest()

    assert signature_of("orw_secret", 1_700_000_000, BODY) == f"v1={wanted}"


@pytest.mark.parametrize(
    ("changed", "valid"),
    [
        ({}, True),
        ({"body": b'{"a": 2}'}, False),
        ({"timestamp": "1700000001"}, False),
        ({"secret": "another"}, False),
        ({"signature": "v1=" + "0" * 64}, False),
        ({"signature": ""}, False),
        ({"timestamp": "now"}, False),
        ({"timestamp": "-5"}, False),
        ({"now": 1_700_000_000 + 301}, False),
        ({"now": 1_700_000_000 - 301}, False),
        ({"now": 1_700_000_000 + 299}, True),
    ],
)
def test_only_what_was_signed_lately_is_accepted(changed, valid):
    given = {
        "secret": "orw_secret",
        "timestamp": "1700000000",
        "signature": signature_of("orw_secret", 1_700_000_000, BODY),
        "body": BODY,
        "now": 1_700_000_000,
    } | changed

    assert is_signed(**given) is valid


def test_while_a_secret_is_replaced_both_sign():
    headers = signed_headers(["new", "old"], 1_700_000_000, BODY, "d-1", "test")

    for secret, valid in (("new", True), ("old", True), ("older", False)):
        signature = headers["Outrider-Signature"]
        assert is_signed(secret, "1700000000", signature, BODY, now=1_700_000_000) is valid


def test_secrets_differ():
    assert new_secret() != new_secret()
    assert len(new_secret()) > 40
