"""`/health` and its relatives: what works, what does not, and answers that never hang."""

import asyncio
import os
import re
from pathlib import Path

import pytest
from tests.support.api import api_on
from tests.support.relay import relay_to

from outrider.db.pool import open_pool
from outrider.services.operations.health_policy import (
    CheckStatus,
    HealthStatus,
    PartHealth,
    scheduler_check,
    sentences_of,
    status_of,
    workers_check,
)
from outrider.web.lifecycle import drain, start
from outrider.worker_registry.store import WorkerRegistry

OK, FAILED, OFF = (PartHealth(status) for status in (CheckStatus.OK, CheckStatus.FAILED, CheckStatus.OFF))


@pytest.mark.parametrize(
    ("checks", "status"),
    [
        ({"database": OK, "redis": OFF}, HealthStatus.HEALTHY),
        ({"database": OK, "redis": FAILED}, HealthStatus.DEGRADED),
        ({"database": OK, "workers": FAILED, "scheduler": FAILED}, HealthStatus.DEGRADED),
        ({"database": FAILED, "redis": OK}, HealthStatus.UNHEALTHY),
    ],
)
def test_only_the_database_makes_it_unhealthy(checks, status):
    assert status_of(checks) is status


def test_every_failed_part_has_a_sentence():
    checks = {
        "database": OK,
        "workers": workers_check(0, 0),
        "scheduler": scheduler_check(0, is_enabled=True),
        "other": FAILED,
    }

    assert sentences_of(checks) == [
        "no worker runs, so no page is fetched: `outrider serve --roles worker` starts some",
        "no scheduler runs, so no job starts: `outrider serve --roles scheduler` starts one",
        "other does not work",
    ]
    assert workers_check(2, 1).status is CheckStatus.FAILED
    assert scheduler_check(0, is_enabled=False).status is CheckStatus.OFF


async def test_health_names_every_part_with_its_latency(api):
    async with api.context.connection() as db:
        worker = await WorkerRegistry().register(db, "m", 1)
        await WorkerRegistry().record_heartbeat(db, worker, {})

    answer = await api.get("/health", role="anonymous")
    body = answer.json()

    assert answer.status_code == 200
    assert body["status"] == "degraded"
    assert {name: check["status"] for name, check in body["checks"].items()} == {
        "database": "ok",
        "workers": "ok",
        "scheduler": "failed",
        "backup": "ok",
        "redis": "off",
        "object_store": "ok",
        "index": "off",
    }
    assert body["checks"]["database"]["latency_ms"] > 0
    assert body["degraded"][0].startswith("no scheduler runs")
    assert body["version"]
    assert body["uptime_s"] >= 0


async def test_head_has_no_body(api):
    answer = await api.call("HEAD", "/health", role="anonymous")

    assert (answer.status_code, answer.content) == (200, b"")


async def test_redis_that_is_away_degrades(pool):
    api = api_on(pool, redis_address="127.0.0.1:1", redis_workers=True)
    async with api.client:
        body = (await api.get("/health", role="anonymous")).json()

    assert body["checks"]["redis"]["status"] == "failed"
    assert "PostgreSQL does its work meanwhile" in body["checks"]["redis"]["message"]


async def test_a_database_that_hangs_delays_no_answer(database):
    async with relay_to(database) as relay:
        pool = await open_pool(relay.dsn, size=2, application_name="tests")
        api = api_on(pool)
        async with api.client:
            assert (await api.get("/health/ready", role="anonymous")).status_code == 200
            relay.mute()
            await asyncio.sleep(1.1)  # as long as an answer is kept
            async with asyncio.timeout(20):
                answers = await asyncio.gather(
                    *(api.get(path, role="anonymous") for path in ("/health", "/health/ready"))
                )
                live = await api.get("/health/live", role="anonymous")
                head = await api.call("HEAD", "/health", role="anonymous")
        pool.terminate()

    assert [answer.status_code for answer in answers] == [503, 503]
    assert answers[0].json()["status"] == "unhealthy"
    assert "no answer within 2 seconds" in answers[1].json()["reason"]
    assert (live.status_code, live.json()) == (200, {"status": "alive"})
    assert (head.status_code, head.content) == (503, b"")  # a load balancer looks at nothing else


async def test_a_process_that_drains_is_not_ready_and_closes_streams(api):
    closed: list[str] = []

    async def close() -> None:
        closed.append("stream")

    async def fail() -> None:
        raise RuntimeError("a feature is broken")

    api.context.parts["on_shutdown"] = [fail, close]
    api.context.parts["on_start"] = [fail]
    await start(api.context)
    before = await api.get("/health/ready", role="anonymous")
    await drain(api.context)
    await drain(api.context)
    after = await api.get("/health/ready", role="anonymous")
    other = await api.get("/api/v1/workers")

    assert before.status_code == 200
    assert (after.status_code, after.json()["reason"]) == (503, "the server stops")
    assert closed == ["stream"]
    assert other.status_code == 200  # requests are still answered


async def test_memory_is_for_users(api):
    async with api.context.connection() as db:
        worker = await WorkerRegistry().register(db, "m", 77)
        await WorkerRegistry().record_heartbeat(db, worker, {"rss_mb": 12.5})

    refused = await api.get("/health/memory", role="anonymous")
    body = (await api.get("/health/memory", role="user")).json()

    assert refused.status_code == 401
    assert body["process"]["rss_bytes"] == pytest.approx(_resident_bytes(), rel=0.5)
    assert body["process"]["pid"] == os.getpid()
    assert body["process"]["peak_rss_bytes"] >= body["process"]["rss_bytes"] // 2
    assert body["workers"] == [{"worker_id": worker, "pid": 77, "rss_bytes": 12_500_000}]


def _resident_bytes():
    """The memory of this process as the kernel says it in words."""
    [kilobytes] = re.findall(r"^VmRSS:\s+(\d+) kB$", Path("/proc/self/status").read_text(), re.MULTILINE)
    return int(kilobytes) * 1024


async def test_health_is_never_rate_limited(pool):
    async def refuse(*_: object) -> None:
        raise AssertionError("asked for the rate limit")

    made = api_on(pool)
    object.__setattr__(made.context, "check_rate", refuse)
    async with made.client:
        for path in ("/health", "/health/live", "/health/ready", "/metrics"):
            assert (await made.get(path, role="anonymous")).status_code == 200, path
        assert (await made.call("HEAD", "/health", role="anonymous")).status_code == 200
