"""`/metrics`: every name, bounded labels, and who may read it."""

import re

import pytest
from tests.support.api import api_on
from tests.support.scheduling import watch

from outrider.metrics_history.series import MOST_LABELS
from outrider.services.metrics.catalogue import METRICS, MetricKind
from outrider.services.metrics.metrics import success
from outrider.web.assemble import server_app, server_context
from outrider.web.exposition import Exposition
from outrider.worker_registry.store import WorkerRegistry


async def fill(pool):
    async with pool.acquire() as db:
        await db.executemany(
            "INSERT INTO counter (slot, source_id, name, value) VALUES (1, $1, $2, $3)",
            [
                (1, "pages", 7),
                (2, "pages", 3),
                (1, "bytes", 5000),
                (1, "pending", 4),
                (1, "dead", 3),
                (1, "dead.robots_blocked", 2),
                (1, "dead.too_many_redirects", 1),
                (1, "status.200", 9),
                (1, "status.404", 1),
                (1, "retry.timeout", 6),
                (1, "polls.changed", 2),
            ],
        )
        worker = await WorkerRegistry().register(db, "m", 1)
        figures = {"pages_per_s": 2.5, "claims": 4, "claim_s": 0.2}
        await WorkerRegistry().record_heartbeat(db, worker, figures)


def value(text: str, name: str) -> float | None:
    found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)
    return None if found is None else float(found[1])


async def test_the_figures_are_those_of_the_database(api, pool):
    await fill(pool)

    text = (await api.get("/metrics", role="anonymous")).text

    assert {
        name: value(text, name)
        for name in (
            "crawler_pages_fetched_total",
            "crawler_pages_per_second",
            'crawler_http_status_total{status="404"}',
            'crawler_frontier_size{state="pending"}',
            "crawler_robots_denials",
            "crawler_active_workers",
            "crawler_claim_seconds",
            'crawler_retries_total{reason="timeout"}',
            'crawler_dead_urls{reason="too_many_redirects"}',
            "crawler_too_many_redirects",
            'crawler_feed_polls_total{result="changed"}',
            'crawler_degraded{check="scheduler"}',
            'crawler_degraded{check="database"}',
        )
    } == {
        "crawler_pages_fetched_total": 10,
        "crawler_pages_per_second": 2.5,
        'crawler_http_status_total{status="404"}': 1,
        'crawler_frontier_size{state="pending"}': 4,
        "crawler_robots_denials": 2,
        "crawler_active_workers": 1,
        "crawler_claim_seconds": 0.05,
        'crawler_retries_total{reason="timeout"}': 6,
        'crawler_dead_urls{reason="too_many_redirects"}': 1,
        "crawler_too_many_redirects": 1,
        'crawler_feed_polls_total{result="changed"}': 2,
        'crawler_degraded{check="scheduler"}': 1,
        'crawler_degraded{check="database"}': 0,
    }


def test_the_metrics_of_the_crawl_have_the_names_required():
    """Written out here: dashboards and alerts elsewhere know them by these names."""
    assert {
        "crawler_pages_fetched_total",
        "crawler_pages_per_second",
        "crawler_fetch_success_rate",
        "crawler_http_status_total",
        "crawler_frontier_size",
        "crawler_robots_denials",
        "crawler_active_workers",
    } <= {each.name for each in METRICS}


async def test_the_success_rate_is_that_of_the_last_minutes(api, pool):
    async with pool.acquire() as db:
        for label, before, now in (("2xx", 100, 103), ("5xx", 50, 51)):
            await db.execute(
                "WITH s AS (INSERT INTO metric_series (metric, label) VALUES ('status', $1) RETURNING *) "
                "INSERT INTO metric_sample SELECT series_id, date_trunc('minute', now()) - v.age, v.value "
                "FROM s, (VALUES (interval '3 minutes', $2::float8), (interval '0', $3)) AS v (age, value)",
                label,
                float(before),
                float(now),
            )

    text = (await api.get("/metrics", role="anonymous")).text

    assert value(text, "crawler_fetch_success_rate") == 0.75


async def test_the_scheduler_shows_its_score_hours_placements_and_rebalances(api, operator, pool):
    await watch(operator, "blatt")
    for _ in range(2):
        await api.post("/api/v1/jobs", {"source_id": "blatt", "interval_minutes": 1, "interval_type": "days"})
    await pool.execute("UPDATE job SET slot_at = date_trunc('hour', now()) + interval '3 hours'")
    await pool.execute("INSERT INTO job_rebalance (moved, skipped) VALUES (3, 1), (2, 0)")
    spread = (await api.get("/api/v1/scheduler/distribution")).json()

    text = (await api.get("/metrics", role="anonymous")).text

    def labelled(name):
        found = re.findall(rf'^{name}{{[a-z]+="([^"]+)"}} (\S+)$', text, re.MULTILINE)
        return {label: float(number) for label, number in found}

    assert value(text, "crawler_scheduler_distribution_score") == spread["distribution_score"] < 1
    hours = {f"{hour:02}": runs for hour, runs in enumerate(spread["hourly_counts"])}
    assert labelled("crawler_scheduler_hourly_jobs") == hours
    assert labelled("crawler_scheduler_placements") == {"automatic": 1, "operator": 2}
    assert labelled("crawler_scheduler_rebalanced_jobs_total") == {"moved": 5, "skipped": 1}


async def test_labels_of_the_database_are_bounded(api, pool):
    """Each of these groups is named by what workers write."""
    groups = {
        "retry.": "crawler_retries_total",
        "failure.": "crawler_fetch_failures_total",
        "dead.": "crawler_dead_urls",
        "polls.": "crawler_feed_polls_total",
    }
    await pool.executemany(
        "INSERT INTO counter (slot, source_id, name, value) VALUES (1, 1, $1, 1)",
        [(f"{prefix}reason {number}",) for prefix in groups for number in range(300)],
    )
    await pool.executemany(
        "INSERT INTO counter (slot, source_id, name, value) VALUES (1, 1, $1, 1)",
        [(f"status.{number}",) for number in range(1_000)],
    )

    text = (await api.get("/metrics", role="anonymous")).text

    for name in groups.values():
        assert len(re.findall(rf"^{name}{{", text, re.MULTILINE)) == MOST_LABELS + 1, name
    assert len(re.findall(r"^crawler_http_status_total\{", text, re.MULTILINE)) <= 101


async def test_every_metric_of_the_catalogue_is_shown_and_no_other(pool):
    made = api_on(pool)
    context = server_context(made.context.loaded, pool)
    app = server_app(context)
    made.client._transport.app = app
    await fill(pool)
    async with made.client:
        await made.client.get("/health/live")
        text = (await made.client.get("/metrics")).text

    shown = dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.MULTILINE))
    shown = {name: kind for name, kind in shown.items() if not name.endswith("_created")}
    known = {each.name: each.kind.value for each in METRICS}
    assert shown == known


async def test_requests_are_counted_by_the_template_of_their_route(pool):
    made = api_on(pool)
    made.client._transport.app = server_app(server_context(made.context.loaded, pool))
    async with made.client:
        for path in ("/health/live", "/health/live", "/api/v1/workers", "/a", "/b/c", "/d?e=f"):
            await made.client.get(path)
        await made.client.request("BREW", "/health/live")
        text = (await made.client.get("/metrics")).text

    counted = dict(re.findall(r"^outrider_http_requests_total\{(.*)\} (\S+)$", text, re.MULTILINE))
    assert counted == {
        'method="GET",route="/health/live",status="2xx"': "2.0",
        'method="GET",route="/api/v1/workers",status="4xx"': "1.0",
        'method="GET",route="other",status="4xx"': "3.0",
        'method="OTHER",route="other",status="4xx"': "1.0",
    }


@pytest.mark.parametrize(
    ("headers", "settings", "status"),
    [
        pytest.param({}, {}, 200, id="this machine"),
        pytest.param({"x-forwarded-for": "203.0.113.9"}, {}, 403, id="through a proxy nobody trusts"),
        pytest.param(
            {"x-forwarded-for": "203.0.113.9"}, {"trusted_proxies": "127.0.0.1"}, 403, id="from outside"
        ),
        pytest.param(
            {"x-forwarded-for": "10.1.2.3"},
            {"trusted_proxies": "127.0.0.1", "metrics_from": "10.0.0.0/8"},
            200,
            id="from an allowed network",
        ),
        pytest.param({}, {"metrics_from": "10.0.0.0/8"}, 403, id="not even this machine"),
    ],
)
async def test_metrics_are_for_the_internal_network(pool, headers, settings, status):
    made = api_on(pool, **settings)
    async with made.client:
        answer = await made.get("/metrics", role="anonymous", headers=headers)

    assert answer.status_code == status


async def test_one_reading_serves_several_scrapers(api, pool):
    await fill(pool)
    first = (await api.get("/metrics", role="anonymous")).text
    async with pool.acquire() as db:
        await db.execute("UPDATE counter SET value = 1000 WHERE name = 'pages'")
    second = (await api.get("/metrics", role="anonymous")).text
    exposition = api.context.parts["exposition"]
    assert isinstance(exposition, Exposition)
    exposition._read_at = float("-inf")
    third = (await api.get("/metrics", role="anonymous")).text

    pages = [value(text, "crawler_pages_fetched_total") for text in (first, second, third)]
    assert pages == [10, 10, 2000]


def test_the_success_rate_is_that_of_recent_requests():
    assert success({"2xx": 6, "3xx": 2, "4xx": 1}, {"timeout": 1}).values == {"": 0.8}
    assert success({}, {}).values == {}


def test_names_follow_the_rules_of_prometheus():
    for each in METRICS:
        assert re.fullmatch(r"(crawler|outrider)_[a-z_]+", each.name), each
        assert each.name.endswith("_total") == (each.kind is MetricKind.COUNTER), each
        assert each.help.endswith("."), each
        assert not {"url", "host", "path", "ip", "user"} & set(each.labels), each
    assert len({each.name for each in METRICS}) == len(METRICS)
