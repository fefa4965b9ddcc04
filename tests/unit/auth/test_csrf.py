"""Which requests come from our own pages: the decision table."""

import pytest

from outrider.auth.csrf import CsrfVerdict, RequestOrigin, check_csrf, check_origin, csrf_token, origin_of

OWN = "https://crawler.example"
SECRET = b"a secret of this test with enough length"
SESSION = "ab" * 32
OK, CROSS, UNKNOWN = CsrfVerdict.OK, CsrfVerdict.CROSS_SITE, CsrfVerdict.UNKNOWN_ORIGIN

TABLE = [
    # Sec-Fetch-Site, Origin, Referer, verdict
    ("same-origin", OWN, OWN + "/jobs", OK),
    ("same-origin", None, None, OK),
    ("same-origin", OWN, None, OK),
    ("same-origin", "https://evil.example", None, CROSS),
    ("same-origin", "null", None, CROSS),
    ("same-site", OWN, OWN + "/", CROSS),
    ("cross-site", OWN, OWN + "/", CROSS),
    ("cross-site", None, None, CROSS),
    ("none", None, None, UNKNOWN),
    ("none", OWN, None, OK),
    ("none", "https://evil.example", None, CROSS),
    ("anything else", None, None, CROSS),
    (None, OWN, None, OK),
    (None, OWN + ":443", None, OK),
    (None, "https://CRAWLER.example", None, OK),
    (None, "http://crawler.example", None, CROSS),
    (None, OWN + ":8443", None, CROSS),
    (None, "https://crawler.example.evil.example", None, CROSS),
    (None, "https://crawler.example@evil.example", None, CROSS),
    (None, "null", None, CROSS),
    (None, "nonsense", None, CROSS),
    (None, "https://[", None, CROSS),
    (None, OWN, "https://evil.example/", CROSS),
    (None, None, OWN + "/jobs?q=1", OK),
    (None, None, "https://evil.example/?" + OWN, CROSS),
    (None, None, None, UNKNOWN),
]


@pytest.mark.parametrize(("site", "origin", "referer", "verdict"), TABLE)
def test_the_origin_of_a_request_is_judged_by_all_its_headers(
    site: str | None, origin: str | None, referer: str | None, verdict: CsrfVerdict
):
    assert check_origin(RequestOrigin(OWN, site, origin, referer)) is verdict


def test_a_request_without_an_own_origin_is_refused():
    assert check_origin(RequestOrigin("", "same-origin")) is UNKNOWN


def test_a_change_needs_the_token_of_its_session():
    ours = RequestOrigin(OWN, "same-origin", OWN)
    token = csrf_token(SESSION, SECRET)

    assert check_csrf("POST", ours, token, SESSION, SECRET) is OK
    for wrong in (None, "", "x", token[:-1], token + "0", csrf_token("cd" * 32, SECRET), "é\ud800"):
        assert check_csrf("POST", ours, wrong, SESSION, SECRET) is CsrfVerdict.BAD_TOKEN
    assert check_csrf("POST", ours, csrf_token(SESSION, b"x" * 40), SESSION, SECRET) is CsrfVerdict.BAD_TOKEN


def test_the_right_token_does_not_help_another_site():
    theirs = RequestOrigin(OWN, "cross-site", "https://evil.example")

    assert check_csrf("DELETE", theirs, csrf_token(SESSION, SECRET), SESSION, SECRET) is CROSS


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "get"])
def test_a_method_that_changes_nothing_needs_no_token(method: str):
    assert check_csrf(method, RequestOrigin(OWN, "cross-site"), None, SESSION, SECRET) is OK


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "NONSENSE"])
def test_every_other_method_needs_one(method: str):
    assert check_csrf(method, RequestOrigin(OWN, "cross-site"), None, SESSION, SECRET) is not OK


def test_an_origin_is_scheme_host_and_port():
    assert origin_of("http://a.test") == ("http", "a.test", 80)
    assert origin_of("http://[::1]:8060/x") == ("http", "::1", 8060)
    assert origin_of("ftp://a.test") is None
    assert origin_of("http://a.test:99999") is None


def test_a_token_is_never_the_same_twice_and_each_is_right() -> None:
    ours = RequestOrigin("https://crawler.example", origin="https://crawler.example")
    tokens = {csrf_token(SESSION, SECRET) for _ in range(50)}

    assert len(tokens) == 50
    assert not set.intersection(*({token[n : n + 16] for n in range(len(token) - 16)} for token in tokens))
    for token in tokens:
        assert check_csrf("POST", ours, token, SESSION, SECRET) is CsrfVerdict.OK
