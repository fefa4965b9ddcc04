"""A backup that failed or is missing is seen wherever an operator looks (LIF-16, OBS-08)."""

from datetime import UTC, datetime

import pytest
from tests.support.api import api_on

from outrider.services.crawl.concerns import ConcernArea
from outrider.services.crawl.overview import HistorySpan, read_crawl_overview

GOOD = """
  INSERT INTO maintenance_task (task, requested_by, state, started_at, ended_at, result)
  VALUES ('backup', 'schedule', 'completed', now() - interval '1 hour', now(),
          '{"name": "b1", "bytes": 4096}')
"""
FAILED = """
  INSERT INTO maintenance_task (task, requested_by, state, ended_at, error)
  VALUES ('backup', 'schedule', 'failed', now(), 'the verification of b2 failed: it is truncated')
"""
OLD = "UPDATE maintenance_task SET started_at = now() - interval '3 days'"


@pytest.fixture
def execute(pool):
    async def run(*statements: str) -> None:
        async with pool.acquire() as db:
            for statement in statements:
                await db.execute(statement)

    return run


@pytest.fixture
def concerns(pool):
    async def read(**options: bool) -> list[str]:
        async with pool.acquire() as db:
            found = await read_crawl_overview(
                db,
                HistorySpan.HOUR,
                datetime.now(UTC),
                needs_scheduler=False,
                has_daily_backup=options.get("daily", True),
            )
        return [each.sentence for each in found.concerns if each.area is ConcernArea.BACKUP]

    return read


def figure(text: str, name: str) -> float | None:
    lines = [line.split() for line in text.splitlines() if line.startswith(f"{name} ")]
    return float(lines[0][1]) if lines else None


async def test_a_failed_backup_is_seen_in_health_and_metrics_and_on_the_overview(
    pool, execute, concerns, tmp_path
):
    await execute(GOOD, FAILED)
    api = api_on(pool, data=tmp_path, metrics_from="127.0.0.0/8")
    async with api.client:
        health = (await api.get("/health", role="anonymous")).json()
        metrics = (await api.get("/metrics", role="anonymous")).text
        page = (await api.get("/overview")).text

    assert health["checks"]["backup"]["status"] == "failed"
    assert health["status"] == "degraded"
    assert "truncated" not in str(health), "anybody may read it"
    assert figure(metrics, "outrider_backup_verified") == 0
    assert figure(metrics, "outrider_backup_bytes") == 4096
    assert 3600 <= figure(metrics, "outrider_backup_age_seconds") < 3700
    assert 'crawler_degraded{check="backup"} 1' in metrics
    told = "The last backup failed: the verification of b2 failed: it is truncated."
    assert await concerns() == [told]
    assert told in page


async def test_a_good_backup_ends_the_trouble(pool, execute, concerns, tmp_path):
    await execute(FAILED, OLD, GOOD)
    api = api_on(pool, data=tmp_path)
    async with api.client:
        health = (await api.get("/health", role="anonymous")).json()

    assert health["checks"]["backup"] == {
        "status": "ok",
        "latency_ms": None,
        "message": "the newest one is 60 minutes old, and verified",
    }
    assert await concerns() == []


async def test_missing_daily_backups_are_a_concern_unless_they_are_off(execute, concerns):
    await execute(GOOD, OLD)

    assert await concerns() == ["The newest backup is 3 days old."]
    assert await concerns(daily=False) == []


async def test_without_any_backup_there_is_no_figure(pool, tmp_path):
    api = api_on(pool, data=tmp_path)
    async with api.client:
        metrics = (await api.get("/metrics", role="anonymous")).text

    assert "# HELP outrider_backup_age_seconds" in metrics
    assert figure(metrics, "outrider_backup_age_seconds") is None
    assert figure(metrics, "outrider_backup_verified") is None
