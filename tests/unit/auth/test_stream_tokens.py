"""A stream token opens one stream, for a minute."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from outrider.auth.jwt import issue_jwt, read_jwt
from outrider.auth.model import ANONYMOUS, Principal, ProvenBy, Role
from outrider.auth.stream_tokens import LEEWAY_S, LIFE, LONGEST_TOKEN, issue_stream_token, read_stream_token
from outrider.auth.users import User
from outrider.errors import Denied, Unauthenticated

SECRET = b"a secret of this test with enough length"
NOW = datetime.now(UTC)
PATH = "/api/v1/jobs/1/logs/stream"
PRINCIPAL = Principal(Role.USER, ProvenBy.SESSION, 7, "ann", session_id="ab" * 32)


def test_a_token_is_for_its_path_and_may_be_used_again_within_its_minute():
    token = issue_stream_token(PRINCIPAL, 3, PATH, SECRET, datetime.now(UTC))

    for _ in range(3):
        claims = read_stream_token(token, PATH, SECRET)
        assert (claims.user_id, claims.generation) == (7, 3)
        assert (claims.via, claims.via_id) == (ProvenBy.SESSION, "ab" * 32)


@pytest.mark.parametrize("path", ["/api/v1/jobs/2/logs/stream", PATH + "/", PATH.upper(), "/", ""])
def test_a_token_is_refused_for_another_path(path: str):
    token = issue_stream_token(PRINCIPAL, 3, PATH, SECRET, datetime.now(UTC))

    with pytest.raises(Unauthenticated, match="another stream"):
        read_stream_token(token, path, SECRET)


def test_a_token_ends_after_a_minute():
    assert timedelta(seconds=60) == LIFE
    old = issue_stream_token(
        PRINCIPAL, 3, PATH, SECRET, datetime.now(UTC) - LIFE - timedelta(seconds=LEEWAY_S + 1)
    )

    with pytest.raises(Unauthenticated, match="expired"):
        read_stream_token(old, PATH, SECRET)


def test_a_jwt_is_no_stream_token_and_a_stream_token_is_no_jwt():
    user = User(7, "ann", Role.USER, 3, NOW, None, None)

    with pytest.raises(Unauthenticated):
        read_stream_token(issue_jwt(user, SECRET, datetime.now(UTC)).token, PATH, SECRET)
    with pytest.raises(Unauthenticated):
        read_jwt(issue_stream_token(PRINCIPAL, 3, PATH, SECRET, datetime.now(UTC)), SECRET)


@pytest.mark.parametrize("token", ["", "x", "x" * (LONGEST_TOKEN + 1), "a.b.c"])
def test_a_text_that_is_no_token_is_refused(token: str):
    with pytest.raises(Unauthenticated):
        read_stream_token(token, PATH, SECRET)


@pytest.mark.parametrize(
    "principal",
    [
        ANONYMOUS,
        Principal(Role.SERVICE, ProvenBy.SERVICE_SECRET, name="service"),
        Principal(Role.SITE, ProvenBy.SITE_KEY, site_id=1),
        replace(PRINCIPAL, proven_by=ProvenBy.STREAM_TOKEN),
    ],
)
def test_only_a_user_gets_a_token_and_no_token_makes_another(principal: Principal):
    with pytest.raises(Denied):
        issue_stream_token(principal, 3, PATH, SECRET, datetime.now(UTC))
