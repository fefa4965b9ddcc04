"""`/api/v1/stats/timeseries`."""

from datetime import timedelta

import pytest

PATH = "/api/v1/stats/timeseries"


@pytest.fixture
async def now(pool):
    """Ten minutes with 6 pages each, up to this minute."""
    async with pool.acquire() as db:
        series = await db.fetchval(
            "INSERT INTO metric_series (metric, label) VALUES ('pages', '') RETURNING series_id"
        )
        now = await db.fetchval("SELECT date_trunc('minute', now())")
        await db.executemany(
            "INSERT INTO metric_sample VALUES ($1, $2, $3)",
            [(series, now - timedelta(minutes=10 - each), each * 6.0) for each in range(11)],
        )
    return now


@pytest.mark.parametrize("path", [PATH, "/api/stats/timeseries"])
async def test_the_growth_of_each_minute(api, now, path):
    answer = await api.get(f"{path}?metric=pages&bucket=1m")
    body = answer.json()

    assert answer.status_code == 200
    assert (body["metric"], body["kind"], body["bucket_s"]) == ("pages", "count", 60)
    assert [point["value"] for point in body["series"][0]["points"]] == [6.0] * 10


async def test_a_range_and_a_bucket(api, now):
    since = (now - timedelta(minutes=5)).isoformat().replace("+00:00", "Z")
    body = (await api.get(f"{PATH}?metric=pages&since={since}&bucket=60")).json()

    assert body["since"] == since.replace("Z", "+00:00") or body["since"] == since
    assert len(body["series"][0]["points"]) == 6


async def test_a_metric_without_samples_has_no_series(api, now):
    assert (await api.get(f"{PATH}?metric=dead")).json()["series"] == []


async def test_it_is_for_users(api):
    assert (await api.get(f"{PATH}?metric=pages", role="anonymous")).status_code == 401


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("", 422),
        ("metric=secrets", 422),
        ("metric=pages&bucket=soon", 400),
        ("metric=pages&bucket=1s", 400),
        ("metric=pages&since=yesterday", 422),
        ("metric=pages&since=1700000000", 422),
        ("metric=pages&since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z", 400),
        ("metric=pages&since=0001-01-01T00:00:00Z", 400),
        ("metric=pages&since=2026-01-01T00:00:00Z&until=2026-01-08T00:00:00Z&bucket=1m", 400),
        ("metric=pages&buckets=5m", 400),
    ],
)
async def test_bad_input_is_refused_with_a_sentence(api, query, status):
    answer = await api.get(f"{PATH}?{query}")

    assert answer.status_code == status
    assert answer.json()["error"]
