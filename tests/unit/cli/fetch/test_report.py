"""What a crawl would do with an answer, in a sentence."""

import pytest

from outrider.cli.fetch.report import decision_of
from outrider.crawl.politeness.fetch_result import FetchEnding, FetchResult, reason_of
from outrider.fetch import (
    Exchange,
    Failed,
    Failure,
    Fetched,
    Hop,
    NotModified,
    Redirected,
    Refusal,
    Refused,
    Rejected,
)
from outrider.services.as_json import as_json
from outrider.services.fetch.fetch import FetchedUrl
from outrider.settings import Settings

URL = "http://a.test/"


def exchange(status: int) -> Exchange:
    return Exchange(URL, status, {"server": "x"}, elapsed_ms=7)


def answered(status: int, retry_after_s: float | None = None) -> FetchResult:
    return FetchResult(FetchEnding.REJECTED, URL, 7, outcome=Rejected(exchange(status), retry_after_s))


@pytest.mark.parametrize(
    ("single", "decision"),
    [
        pytest.param(
            FetchResult(FetchEnding.FETCHED, URL, 7, outcome=Fetched(exchange(200), b"x", "text/html")),
            "keep, and follow its links",
            id="a page",
        ),
        pytest.param(
            FetchResult(FetchEnding.FETCHED, URL, 7, outcome=Fetched(exchange(200), b"x", "application/pdf")),
            "dead: unsupported_content_type",
            id="a PDF",
        ),
        pytest.param(
            FetchResult(
                FetchEnding.FETCHED, f"{URL}login", 7, outcome=Fetched(exchange(200), b"x", "text/html")
            ),
            "skip, by its looks: action_url",
            id="a page whose address says that it is none",
        ),
        pytest.param(
            FetchResult(FetchEnding.NOT_MODIFIED, URL, 7, outcome=NotModified(exchange(304))),
            "keep what is stored",
            id="not modified",
        ),
        pytest.param(answered(404), "dead: not_found", id="404"),
        pytest.param(answered(503), "retry in 60 s (http_503, attempt 1 of 3)", id="503"),
        pytest.param(
            answered(429, 120), "retry in 120 s (http_429, attempt 0 of 3)", id="429 that asks to wait"
        ),
        pytest.param(
            FetchResult(FetchEnding.ROBOTS_BLOCKED, URL, 0, "robots_blocked"),
            "dead: robots_blocked",
            id="robots rule",
        ),
        pytest.param(
            FetchResult(FetchEnding.FAILED, URL, 0, "dns_failure"),
            "leave the host alone until its robots.txt can be read",
            id="no robots.txt",
        ),
        pytest.param(
            FetchResult(
                FetchEnding.REDIRECTED, URL, 0, "redirect_loop", outcome=Redirected(exchange(301), "/", URL)
            ),
            "dead: redirect_loop",
            id="loop",
        ),
    ],
)
def test_the_decision_is_what_a_crawl_would_do(single, decision):
    assert decision_of(single, Settings()) == decision


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (Fetched(exchange(200), b""), None),
        (NotModified(exchange(304)), None),
        (Rejected(exchange(404)), "not_found"),
        (Rejected(exchange(410)), "gone"),
        (Rejected(exchange(403)), "forbidden"),
        (Rejected(exchange(429)), "http_429"),
        (Rejected(exchange(500)), "http_500"),
        (Rejected(exchange(418)), "unexpected_status_418"),
        (Redirected(exchange(301), "", None), "invalid_redirect"),
        (Failed(URL, Failure.TOO_LARGE, "", 1), "too_large"),
        (Failed(URL, Failure.TIMEOUT, "", 1), "timeout"),
        (Refused(URL, Refusal.BLOCKED_ADDRESS, ""), "blocked_address"),
    ],
)
def test_every_answer_that_is_no_page_has_a_machine_word(outcome, reason):
    assert reason_of(outcome) == reason


def test_scripts_get_these_names_and_no_others():
    hop = Hop(URL, 301, f"{URL}b")
    single = FetchResult(
        FetchEnding.FETCHED,
        f"{URL}b",
        9,
        hops=(hop,),
        outcome=Fetched(exchange(200), b"\x00page", "text/html"),
    )

    assert as_json(FetchedUrl(single, with_body=True)) == {
        "ok": True,
        "outcome": "fetched",
        "reason": None,
        "status": 200,
        "url": "http://a.test/b",
        "hops": [{"url": "http://a.test/", "status": 301, "target": "http://a.test/b"}],
        "headers": {"server": "x"},
        "elapsed_ms": 9,
        "body_b64": "AHBhZ2U=",
    }
    assert "body_b64" not in as_json(FetchedUrl(single))
