"""`GET /api/v1/alerts`, the page of alerts and the command: what needs a person, and what did lately."""

import pytest
from tests.support.api import bearer_of, signed_api_on

from outrider.alerts.model import AlertKind

OPEN = """INSERT INTO alert (key, kind, severity, subject_kind, subject_id, subject_name, numbers, held_since,
                             opened_at, last_seen_at, closed_at)
          SELECT key, kind, severity, about, id, name, numbers::jsonb, now() - age, now() - age, now(), closed
            FROM (VALUES ('feed_errors:source:1', 'feed_errors', 'warning', 'source', '1', '<b>News</b>',
                          '{"errors": 12, "channels": 1}', interval '1 hour', NULL),
                         ('no_workers', 'no_workers', 'critical', NULL, NULL, NULL,
                          '{"hosts": 3}', interval '5 minutes', NULL),
                         ('stale_locks', 'stale_locks', 'warning', NULL, NULL, NULL,
                          '{"locks": 4}', interval '2 days', now() - interval '47 hours'))
              AS a (key, kind, severity, about, id, name, numbers, age, closed)"""
PENDING = """INSERT INTO alert (key, kind, severity, held_since, last_seen_at)
             VALUES ('http_errors', 'http_errors', 'warning', now(), now())"""


@pytest.fixture
async def three(pool):
    """Two open alerts and a closed one; a fourth condition has not held long enough."""
    await pool.execute(OPEN)
    await pool.execute(PENDING)


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ("", ["no_workers", "feed_errors", "stale_locks"]),
        ("?state=all", ["no_workers", "feed_errors", "stale_locks"]),
        ("?state=open", ["no_workers", "feed_errors"]),
        ("?state=closed", ["stale_locks"]),
        ("?kind=feed_errors", ["feed_errors"]),
        ("?kind=feed_errors&state=closed", []),
        ("?limit=1&offset=1", ["feed_errors"]),
    ],
)
async def test_alerts_are_listed_newest_first_and_by_filters(api, three, query, kinds):
    found = (await api.get(f"/api/v1/alerts{query}", role="user")).json()

    assert [each["kind"] for each in found["items"]] == kinds
    assert found["total"] == (3 if "limit" in query else len(kinds))
    assert found["total_is"] == "exact"
    assert found["position"]


async def test_an_alert_says_what_it_is_about(api, three):
    critical, feed, closed = (await api.get("/api/v1/alerts")).json()["items"]

    assert feed["sentence"] == "A feed or sitemap of <b>News</b> failed 12 times in a row."
    assert feed["subject"] == {"kind": "source", "id": "1", "name": "<b>News</b>"}
    assert feed["numbers"] == {"errors": 12, "channels": 1}
    assert (feed["is_open"], feed["closed_at"]) == (True, None)
    assert (critical["severity"], critical["subject"]) == ("critical", None)
    assert closed["closed_at"] > closed["opened_at"]


@pytest.mark.parametrize("query", ["?state=opened", "?kind=nothing", "?status=open", "?limit=0"])
async def test_a_misspelt_filter_is_refused(api, query):
    assert (await api.get(f"/api/v1/alerts{query}")).status_code in (400, 422)


async def test_a_user_sees_alerts_and_a_stranger_does_not(pool, three):
    async with signed_api_on(pool) as api:
        user = await api.client.get("/api/v1/alerts", headers=await bearer_of(api, "uma"))
        stranger = await api.client.get("/api/v1/alerts")

    assert (user.status_code, user.json()["total"]) == (200, 3)
    assert stranger.status_code == 401


async def test_the_page_says_whether_something_needs_a_person(api, pool, three):
    page = (await api.get("/alerts", role="user")).text

    assert "No scheduler runs, so nothing is watched" in page
    assert "No worker runs, and 3 hosts wait for one." in page
    assert "&lt;b&gt;News&lt;/b&gt;" in page
    assert 'href="/sources/1"' in page
    assert page.index("No worker runs, and") < page.index("&lt;b&gt;News"), "the newest first"
    await pool.execute(
        "INSERT INTO scheduler (token, machine, pid) VALUES ('018f4e5c-7d1a-7c3e-9b2f-4a5d6e7f8091', 'm', 1)"
    )
    assert "2 alerts are open." in (await api.get("/alerts")).text
    assert "stale" not in (await api.get("/alerts?state=open")).text.partition("<tbody>")[2]
    assert "No alert matches" in (await api.get("/alerts?state=closed&kind=no_workers")).text


async def test_without_alerts_the_page_says_when_one_would_open(api):
    page = (await api.get("/alerts")).text

    assert "There was no alert within the last 90 days" in page
    assert "An alert opens here when" in page
    assert "<table" not in page.partition("<main")[2]


async def test_open_alerts_are_on_the_overview_and_in_the_menu(api, pool, three):
    overview = (await api.get("/overview")).text

    assert 'href="/alerts?state=open">2 open alerts</a> need you.' in overview
    assert '2<span class="visually-hidden"> open alerts</span>' in overview
    await pool.execute("UPDATE alert SET closed_at = now() WHERE opened_at IS NOT NULL AND closed_at IS NULL")
    assert "open alert" not in (await api.get("/overview")).text


async def test_open_alerts_are_counted_for_prometheus(api, three):
    lines = (await api.get("/metrics")).text.splitlines()
    counted = {line for line in lines if line.startswith("outrider_open_alerts{")}

    assert 'outrider_open_alerts{kind="no_workers",severity="critical"} 1.0' in counted
    assert 'outrider_open_alerts{kind="stale_locks",severity="warning"} 0.0' in counted
    assert len(counted) == len(AlertKind), "one for each kind, whatever the alerts are about"
