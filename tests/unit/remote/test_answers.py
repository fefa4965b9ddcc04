"""Answers of a server become results, or errors of one sentence."""

import json

import pytest

from outrider import errors
from outrider.remote.answers import read_answer
from outrider.web.errors import NO_SUCH_PATH

URL = "https://crawler.test"


def answer(status: int, body: object, headers: dict[str, str] | None = None, *, has_token: bool = True):
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    return read_answer(URL, status, headers or {}, sent, has_token=has_token)


def test_a_successful_answer_is_its_json():
    assert answer(200, {"a": 1}) == {"a": 1}
    assert answer(204, b"") is None


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, errors.InvalidInput),
        (403, errors.Denied),
        (404, errors.NotFound),
        (409, errors.Conflict),
        (412, errors.PreconditionFailed),
        (503, errors.Unavailable),
    ],
)
def test_an_error_of_the_api_is_the_same_error_here(status, kind):
    with pytest.raises(kind) as raised:
        answer(status, {"error": "there is no such job", "code": "x"})
    assert type(raised.value) is kind
    assert str(raised.value) == "there is no such job"


def test_wrong_fields_are_named():
    body = {"error": "these fields cannot be used: limit", "code": "x", "fields": {"limit": "too large"}}
    with pytest.raises(errors.InvalidInput, match="limit: too large"):
        answer(422, body)


def test_too_many_requests_say_how_long_to_wait():
    with pytest.raises(errors.TooManyRequests) as raised:
        answer(429, {"error": "wait"}, {"Retry-After": "17"})
    assert raised.value.retry_after_s == 17


@pytest.mark.parametrize(
    ("has_token", "why"), [(True, "does not accept OUTRIDER_TOKEN"), (False, "needs a token")]
)
def test_a_refused_caller_is_told_how_to_get_a_token(has_token, why):
    with pytest.raises(errors.Unauthenticated, match=why) as raised:
        answer(401, {"error": "the token was revoked"}, has_token=has_token)
    assert "outrider token create" in str(raised.value)


def test_an_older_server_is_told_from_an_object_that_does_not_exist():
    with pytest.raises(errors.Misconfigured, match="use the same version on both"):
        answer(404, {"error": "there is nothing at this address", "code": NO_SUCH_PATH})


@pytest.mark.parametrize("body", [b"<html>", b"[" * 100_000, {"detail": "Not Found"}, [1], b"\xff"])
def test_another_server_is_recognised(body):
    with pytest.raises(errors.Misconfigured, match="there is no Outrider server at"):
        answer(404, body)


def test_a_proxy_without_a_server_behind_it_is_unavailable():
    with pytest.raises(errors.Unavailable, match=r"cannot answer now \(502\)"):
        answer(502, b"<html>Bad Gateway</html>")


def test_a_failure_of_the_server_names_the_server():
    with pytest.raises(
        errors.Unavailable, match=r"the server at https://crawler\.test failed: an unexpected"
    ):
        answer(500, {"error": "an unexpected error"})


def test_a_redirect_is_not_followed():
    with pytest.raises(errors.Misconfigured, match=r"redirects to https://other\.test/"):
        answer(301, b"", {"Location": "https://other.test/"})
