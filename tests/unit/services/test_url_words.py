"""The conclusion about an address, and when it is next."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from outrider.frontier.redirect_hops import SeenRedirect
from outrider.services.urls.explanation import CrawlVerdict, DocumentFacts, EntryFacts, Explanation
from outrider.services.urls.words import conclusion, next_time

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
URL = "http://a.test/x"
KNOWN = EntryFacts(
    state="fetched",
    kind="page",
    source="crawl",
    origin="spider",
    depth=1,
    priority=5,
    is_held=False,
    discovered_at=NOON,
    last_fetch_at=NOON - timedelta(hours=3),
    next_fetch_at=None,
    fetches=1,
    attempts=0,
    status=200,
    reason=None,
)


def explanation(crawl_verdicts=(), way_on=(), **changes) -> Explanation:
    known = replace(KNOWN, **changes) if changes else None
    return Explanation(URL, known, None, None, crawl_verdicts=crawl_verdicts, way_on=way_on)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (explanation(), "Not known here."),
        (explanation([CrawlVerdict("c", None)]), "Not known here: no page that was fetched links to it."),
        (
            explanation([CrawlVerdict("c", "out of scope")]),
            "Not known here, and no crawl here would take it.",
        ),
        (explanation(state="fetched"), "Fetched 2026-05-01 09:00:00 UTC (3 hours ago)."),
        (explanation(state="dead", reason="max_retries:timeout"), "Dead: timeout, again and again."),
        (explanation(state="alias", way_on=["http://a.test/y"]), "It redirects to http://a.test/y."),
        (
            explanation(state="pending", reason="http_503", next_fetch_at=NOON + timedelta(minutes=2)),
            "Queued: not before 2026-05-01 12:02:00 UTC (in 2 minutes), after http 503.",
        ),
        (
            explanation(state="pending", is_held=True),
            "Queued: its source is on hold; the same `outrider crawl` command resumes a suspended crawl, "
            "`outrider source enable` a disabled source.",
        ),
    ],
)
def test_the_conclusion_is_one_sentence(answer, said):
    assert conclusion(answer, NOON) == said


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (explanation(), "never, unless a link points to it or it is submitted"),
        (explanation(state="fetched"), "not again, unless asked for: `outrider crawl … --recrawl`"),
        (explanation(state="dead"), f"not again, unless asked for: `outrider retry {URL}`"),
        (
            explanation(state="dead", reason="robots_blocked"),
            "when its robots.txt changes: `outrider robots a.test --fetch` checks now",
        ),
        (explanation(state="pending", next_fetch_at=NOON), "it is due and waits for a worker"),
    ],
)
def test_it_says_when_next_and_what_to_do_for_it(answer, said):
    assert next_time(answer, NOON) == said


DOCUMENT = DocumentFacts(
    title="x",
    words=5,
    bytes=9,
    language=None,
    content_type="text/html",
    fetched_at=NOON - timedelta(days=2),
    changed_at=NOON - timedelta(days=2),
    versions=1,
    etag=None,
    last_modified=None,
    noindex=False,
    duplicate_of=None,
    is_near_duplicate=False,
    canonical_url=None,
)


def redirecting(met: int, seen: datetime = NOON - timedelta(hours=3), **changes) -> Explanation:
    redirect = SeenRedirect("http://a.test/soon", met, seen, seen, 1)
    known = {"status": met} | changes
    return replace(explanation(**known), document=DOCUMENT, redirects=[redirect])


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (
            redirecting(302, state="pending", next_fetch_at=NOON + timedelta(hours=21)),
            "Redirected temporarily (302) to http://a.test/soon on 2026-05-01 09:00:00 UTC (3 hours ago); "
            "the page fetched on 2026-04-29 12:00:00 UTC (2 days ago) is kept; "
            "requested again not before 2026-05-02 09:00:00 UTC (in 21 hours).",
        ),
        (
            redirecting(301, state="fetched"),
            "Redirected permanently (301) to http://a.test/soon on 2026-05-01 09:00:00 UTC (3 hours ago); "
            "the page fetched on 2026-04-29 12:00:00 UTC (2 days ago) is kept "
            "until that is met again on a later day; requested again only on demand.",
        ),
        (
            redirecting(302, NOON - timedelta(days=9), state="fetched"),
            "Fetched 2026-05-01 09:00:00 UTC (3 hours ago).",
        ),
        (
            redirecting(301, state="pending", status=503, reason="http_503", next_fetch_at=NOON),
            "Queued: it is due and waits for a worker.",
        ),
    ],
)
def test_a_page_that_redirects_for_now_has_its_story(answer, said):
    assert conclusion(answer, NOON) == said
