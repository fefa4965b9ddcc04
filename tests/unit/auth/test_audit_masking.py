"""No secret reaches the audit log, whatever field it is in."""

import json

import pytest

from outrider.auth.audit_masking import LARGEST, LONGEST_TEXT, mask_text, masked
from outrider.masking import MASK

KEY = "ort_-x_" + "Ab3-" * 10
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl"


@pytest.mark.parametrize(
    "name",
    [
        "password",
        "old_password",
        "jwt_secret",
        "token",
        "api_key",
        "key",
        "site_key",
        "password_hash",
        "cookie",
    ],
)
def test_a_field_with_the_name_of_a_secret_is_masked_at_any_depth(name: str):
    assert masked({name: "hunter2hunter2"}) == {name: MASK}
    assert masked({"after": {"list": [{name: {"nested": "hunter2hunter2"}}]}}) == {
        "after": {"list": [{name: MASK}]}
    }


@pytest.mark.parametrize(
    "text",
    [
        KEY,
        JWT,
        f"Bearer {JWT}",
        "Authorization: Basic dXNlcjpwYXNz",
        "postgresql://me:hunter2@db/x",
        "https://x.test/?token=hunter2hunter2",
        "$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA",
    ],
)
def test_a_text_that_looks_like_a_secret_is_masked(text: str):
    stored = json.dumps(masked({"note": f"see {text} here", "list": [text], text: 1}))

    for secret in (KEY, JWT, "hunter2", "dXNlcjpwYXNz", "aGFzaA"):
        assert secret not in stored


def test_harmless_values_stay():
    harmless = {"before": {"role": "user", "enabled": True, "limit": 5, "token_id": 7}, "after": None}

    assert masked(harmless) == harmless


def test_large_and_strange_values_are_bounded():
    assert len(mask_text("x" * 10_000)) == LONGEST_TEXT
    assert "\x00" not in mask_text("a\x00b")
    assert json.dumps(masked({"a": float("nan"), "b": 1e308 * 10, "c": object(), "d": "\ud800"})).encode()
    deep: dict[str, object] = {}
    for _ in range(100):
        deep = {"x": deep}
    assert len(json.dumps(masked(deep))) < 100
    wide = {f"field{number}": ["y" * 400] * 50 for number in range(1_000)}
    assert len(json.dumps(masked(wide))) < LARGEST
