"""Samples by the minute, days rolled up, series read in buckets."""

from datetime import UTC, datetime, timedelta

import pytest
import structlog
from tests.support.redis_server import RedisServer

from outrider.coordination.errors import StaleLeader
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import InvalidInput
from outrider.metrics_history.figures import CrawlFigures, read_crawl_figures, status_class
from outrider.metrics_history.redis_totals import RedisTotals
from outrider.metrics_history.sampling import roll_up, sample
from outrider.metrics_history.series import LONGEST_LABEL, MOST_LABELS, SeriesMetric, bounded, samples_of
from outrider.redis.connect import connect
from outrider.services.metrics.timeseries import MOST_POINTS, check_range, fitting_bucket, read_series

NOON = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


async def leading(_: object) -> None:
    """This process leads."""


@pytest.fixture
async def db(pool):
    async with pool.acquire() as connection:
        yield connection


@pytest.fixture
async def connection(database):
    made = ReconnectingConnection(database, application_name="tests")
    yield made
    await made.close()


async def add_samples(db, metric, values, label=""):
    series = await db.fetchval(
        "INSERT INTO metric_series (metric, label) VALUES ($1, $2) RETURNING series_id", metric, label
    )
    await db.executemany(
        "INSERT INTO metric_sample VALUES ($1, $2, $3)", [(series, at, value) for at, value in values]
    )


async def test_a_minute_is_sampled_once_and_its_counts_are_logged(connection, db):
    await db.execute(
        "INSERT INTO counter VALUES (1, 1, 'pages', 5), (1, 1, 'pending', 9), (1, 1, 'status.200', 5)"
    )
    with structlog.testing.capture_logs() as logged:
        first = await sample(connection, leading)
        again = await sample(connection, leading)

    stored = dict(
        await db.fetch(
            "SELECT metric || ':' || label, value FROM metric_sample JOIN metric_series USING (series_id)"
        )
    )
    # The clock may have passed to the next minute between the two.
    assert first
    assert not again or await db.fetchval("SELECT count(DISTINCT at) FROM metric_sample") == 2
    assert (stored["pages:"], stored["frontier:pending"], stored["status:2xx"]) == (5, 9, 5)
    assert [each["pending"] for each in logged if each["event"] == "frontier counts"][:1] == [9]


async def test_a_process_that_does_not_lead_writes_nothing(connection, db):
    async def refused(_: object) -> None:
        raise StaleLeader("another one leads")

    with pytest.raises(StaleLeader):
        await sample(connection, refused)

    assert await db.fetchval("SELECT count(*) FROM metric_sample") == 0


async def test_days_older_than_a_week_are_rolled_up(connection, db):
    now = await db.fetchval("SELECT date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'")
    old, kept = now - 9 * DAY, now - 2 * DAY
    await add_samples(
        db, "pages", [(old, 10), (old + HOUR, 20), (old + 2 * HOUR, 60), (old + DAY, 70), (kept, 100)]
    )

    assert await roll_up(connection, leading) == 2
    assert await roll_up(connection, leading) == 0

    days = [
        tuple(row) for row in await db.fetch("SELECT mean, least, most, newest FROM metric_day ORDER BY day")
    ]
    assert days == [(30, 10, 60, 60), (70, 70, 70, 70)]
    assert await db.fetchval("SELECT array_agg(at) FROM metric_sample") == [kept]

    found = await read_series(db, SeriesMetric.PAGES, old, now, DAY)
    assert [(point.at, point.value) for line in found.series for point in line.points] == [
        (old + DAY, 10),
        (kept, 30),
    ]


async def test_a_count_is_shown_by_its_growth_and_a_level_by_its_mean(db):
    await add_samples(
        db,
        "pages",
        [(NOON - MINUTE, 100), (NOON, 110), (NOON + MINUTE, 115), (NOON + 5 * MINUTE, 3), (NOON + HOUR, 9)],
    )
    await add_samples(db, "frontier", [(NOON, 10), (NOON + MINUTE, 30)], "pending")
    await add_samples(db, "frontier", [(NOON, 1)], "dead")

    pages = await read_series(db, SeriesMetric.PAGES, NOON, NOON + HOUR, 5 * MINUTE)
    frontier = await read_series(db, SeriesMetric.FRONTIER, NOON, NOON + HOUR, 5 * MINUTE)

    assert [(line.label, [point.value for point in line.points]) for line in pages.series] == [
        ("", [15, 3])  # after a reset the count begins at 0
    ]
    assert [(line.label, [point.value for point in line.points]) for line in frontier.series] == [
        ("dead", [1]),
        ("pending", [20]),
    ]


async def test_the_totals_are_in_redis(connection, db, redis_server: RedisServer):
    await db.execute(
        "INSERT INTO counter VALUES (1, 1, 'pages', 7), (1, 1, 'bytes', 70), (1, 1, 'failure.timeout', 2), "
        "(1, 1, 'status.404', 1), (1, 1, 'status.200', 9)"
    )

    assert await sample(connection, leading, RedisTotals(redis_server.options).publish)

    names = [f"crawler:stats:{name}" for name in ("pages_crawled", "pages_failed", "bytes_downloaded")]
    redis = connect(redis_server.options)
    found = await redis.mget(*names)
    await redis.aclose()
    assert [int(each) for each in found] == [7, 3, 70]


async def test_hosts_are_counted_by_what_they_wait_for(db):
    await db.execute("""
        INSERT INTO host (host_id, due_at, next_allowed_at, lease_owner, penalty_ms, breaker)
        VALUES (1, now() - interval '1 minute', '-infinity', NULL, 0, 0),
               (2, now() + interval '1 minute', now() + interval '1 minute', NULL, 0, 0),
               (3, now() + interval '1 minute', now() + interval '1 minute', NULL, 500, 0),
               (4, now() + interval '1 minute', now() + interval '1 minute', NULL, 0, 1),
               (5, now() + interval '1 minute', '-infinity', 9, 0, 0),
               (6, now() + interval '1 day', '-infinity', NULL, 0, 0),
               (7, 'infinity', '-infinity', NULL, 0, 0)
    """)

    figures = await read_crawl_figures(db)

    assert figures.hosts == {
        "due": 1,
        "delayed": 1,
        "throttled": 1,
        "broken": 1,
        "leased": 1,
        "later": 1,
        "held": 1,
    }
    assert figures.breakers == {"open": 1}
    assert 59 <= figures.queue_age_s < 600


def test_labels_are_bounded():
    figures = CrawlFigures(NOON, {f"dead.unexpected_status_{number}": 1 for number in range(100, 900)})

    dead = [each for each in samples_of(figures) if each.metric is SeriesMetric.DEAD]

    assert len(dead) == MOST_LABELS + 1
    assert sum(each.value for each in dead) == 800
    assert bounded({"other": 5, "a": 9, "b": 1}, 2) == {"a": 9, "other": 6}
    assert bounded({"x" * 1_000: 1}) == {"x" * LONGEST_LABEL: 1}


@pytest.mark.parametrize(
    ("status", "expected"),
    [("200", "2xx"), ("599", "5xx"), ("999", "other"), ("٢٠٠", "other"), ("x", "other")],
)
def test_a_status_has_a_class(status, expected):
    assert status_class(status) == expected


@pytest.mark.parametrize(
    ("since", "until", "bucket", "sentence"),
    [
        (NOON, NOON, MINUTE, "must be before"),
        (NOON - 3000 * DAY, NOON, DAY, "goes back 730 days"),
        (NOON - DAY, NOON, MINUTE / 2, "shortest bucket"),
        (NOON - 7 * DAY, NOON, MINUTE, "use a bucket of 15 min"),
    ],
)
def test_a_range_that_cannot_be_shown_is_refused(since, until, bucket, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        check_range(since, until, bucket)


@pytest.mark.parametrize("days", [0.01, 0.2, 1, 7, 30, 365, 730])
def test_the_bucket_that_is_chosen_fits(days):
    since = NOON - timedelta(days=days)

    assert (NOON - since) / fitting_bucket(since, NOON) <= MOST_POINTS
