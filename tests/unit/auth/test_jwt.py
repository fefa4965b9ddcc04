"""A JWT counts only with our signature, by our algorithm, within its time."""

import base64
import json
from datetime import UTC, datetime, timedelta

import jwt as pyjwt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.auth.jwt import LIFE, LONGEST_TOKEN, issue_jwt, read_jwt
from outrider.auth.model import Role
from outrider.auth.users import User
from outrider.errors import Unauthenticated

SECRET = b"a secret of this test with enough length, also for algorithms with longer keys"
NOW = datetime.now(UTC)
USER = User(7, "ann", Role.ADMIN, 3, NOW, None, None)
CLAIMS = {
    "sub": "7",
    "role": "admin",
    "iat": NOW,
    "nbf": NOW,
    "exp": NOW + LIFE,
    "jti": "3d6f0d3e-9d6f-4a51-8c2b-0d3f6a1e2b4c",
    "gen": 3,
}


def _part(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def test_a_token_says_who_it_is_for():
    issued = issue_jwt(USER, SECRET, NOW)
    claims = read_jwt(issued.token, SECRET)

    assert (claims.user_id, claims.role, claims.generation, claims.jti) == (7, Role.ADMIN, 3, issued.jti)
    assert issued.expires_at == NOW + timedelta(hours=24)
    raw = pyjwt.decode(issued.token, options={"verify_signature": False})
    assert {"sub", "role", "iat", "nbf", "exp", "jti"} <= set(raw)
    assert raw["exp"] - raw["iat"] == 86_400
    assert pyjwt.get_unverified_header(issued.token)["alg"] == "HS256"


def _tampered() -> str:
    head, body, signature = issue_jwt(USER, SECRET, NOW).token.split(".")
    claims = json.loads(base64.urlsafe_b64decode(body + "=="))
    return f"{head}.{_part(claims | {'sub': '1'})}.{signature}"


def _without_algorithm(name: str) -> str:
    plain = {
        key: int(value.timestamp()) if isinstance(value, datetime) else value for key, value in CLAIMS.items()
    }
    return f"{_part({'alg': name, 'typ': 'JWT'})}.{_part(plain)}."


REFUSED = {
    "tampered": _tampered(),
    "alg none": _without_algorithm("none"),
    "alg None": _without_algorithm("None"),
    "no signature": _without_algorithm("HS256"),
    "another secret": issue_jwt(USER, b"another secret with enough length !", NOW).token,
    "another algorithm": pyjwt.encode(CLAIMS, SECRET, algorithm="HS512"),
    "expired": issue_jwt(USER, SECRET, NOW - LIFE - timedelta(minutes=1)).token,
    "future nbf": issue_jwt(USER, SECRET, NOW + timedelta(hours=12)).token,
    "huge": issue_jwt(USER, SECRET, NOW).token + "x" * LONGEST_TOKEN,
    "empty": "",
    "no dots": "abc",
    "role unknown": pyjwt.encode(CLAIMS | {"role": "root"}, SECRET, algorithm="HS256"),
    "sub no number": pyjwt.encode(CLAIMS | {"sub": "ann"}, SECRET, algorithm="HS256"),
    "jti no uuid": pyjwt.encode(CLAIMS | {"jti": "1"}, SECRET, algorithm="HS256"),
    "gen no number": pyjwt.encode(CLAIMS | {"gen": None}, SECRET, algorithm="HS256"),
}


@pytest.mark.parametrize("token", REFUSED.values(), ids=list(REFUSED))
def test_a_token_that_is_not_ours_is_refused(token: str):
    with pytest.raises(Unauthenticated):
        read_jwt(token, SECRET)


@pytest.mark.parametrize("missing", list(CLAIMS))
def test_a_token_without_a_claim_is_refused(missing: str):
    claims = {name: value for name, value in CLAIMS.items() if name != missing}

    with pytest.raises(Unauthenticated):
        read_jwt(pyjwt.encode(claims, SECRET, algorithm="HS256"), SECRET)


def test_the_whole_token_of_the_test_would_be_accepted():
    assert read_jwt(pyjwt.encode(CLAIMS, SECRET, algorithm="HS256"), SECRET).user_id == 7


def test_an_expired_token_says_so():
    with pytest.raises(Unauthenticated, match="expired"):
        read_jwt(REFUSED["expired"], SECRET)


@given(st.text(max_size=200))
def test_any_text_is_refused_with_a_sentence(text: str):
    with pytest.raises(Unauthenticated):
        read_jwt(text, SECRET)
