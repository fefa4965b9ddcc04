"""`outrider scheduler`, as somebody uses it who runs a fleet."""

import asyncio
import json
import os
import signal
import sys
from functools import partial

import asyncpg
import pytest
from tests.support.command import outrider_here_meanwhile, outrider_meanwhile
from tests.support.newsroom import MovableClock, Newsroom
from tests.support.publications import page


@pytest.fixture
async def run(database):
    return partial(outrider_here_meanwhile, settings={"OUTRIDER_DATABASE_URL": database})


@pytest.fixture
async def blatt(run):
    await run("source", "add", "https://blatt.test/", "--name", "blatt", "--feed", "https://blatt.test/f")
    await run("source", "sync")


async def until_alive(database):
    """Wait until a scheduler has registered."""
    db = await asyncpg.connect(database)
    async with asyncio.timeout(60):
        while not await db.fetchval("SELECT count(*) FROM scheduler"):
            await db.execute("SELECT pg_sleep(0.05)")
    await db.close()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
async def test_it_runs_until_it_is_told_to_stop_and_records_the_stop(database, run, blatt, how):
    environment = os.environ | {"OUTRIDER_DATABASE_URL": database}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "outrider",
        "scheduler",
        "--json",
        env=environment,
        stdout=asyncio.subprocess.PIPE,
    )
    await until_alive(database)
    alive = (await run("scheduler", "status", "--json")).json["schedulers"]
    process.send_signal(how)
    out, _ = await asyncio.wait_for(process.communicate(), 30)

    assert [(each["pid"], each["is_alive"]) for each in alive] == [(process.pid, True)]
    assert process.returncode == 0
    assert [json.loads(line)["event"] for line in out.splitlines()] == ["scheduling", "stopped"]
    assert [each["is_alive"] for each in (await run("scheduler", "status", "--json")).json["schedulers"]] == [
        False
    ]


async def test_without_a_scheduler_the_status_says_how_to_start_one(run, blatt):
    told = await run("scheduler", "status")

    assert told.code == 0
    assert told.out.startswith("No scheduler runs: `outrider watch` or `outrider scheduler` starts one.\n")
    assert "jobs          1 scheduled" in told.out


async def test_the_distribution_is_a_bar_for_each_hour(run, blatt):
    told = (await run("scheduler", "distribution")).out
    report = (await run("scheduler", "distribution", "--json")).json

    bars = [line for line in told.splitlines() if ":00  " in line or line.endswith(":00")]
    assert [int(line[:2]) for line in bars] == list(range(24))
    assert [int(line.split()[-1]) for line in bars] == report["hourly_counts"]
    assert f"score         {report['distribution_score']:.2f} of 1.00 (slots of 15 minutes)" in told


async def test_with_load_balancing_off_it_says_so(database, blatt):
    off = {"OUTRIDER_DATABASE_URL": database, "OUTRIDER_LOAD_BALANCING": "false"}

    told = await outrider_here_meanwhile("scheduler", "distribution", settings=off)
    refused = await outrider_here_meanwhile("scheduler", "rebalance", settings=off)

    assert told.out.startswith("Load balancing is switched off by OUTRIDER_LOAD_BALANCING")
    assert (refused.code, refused.out, refused.err.count("\n")) == (1, "", 1)


async def test_a_rebalance_says_what_it_would_do_and_why_not(run, blatt):
    told = await run("scheduler", "rebalance", "--dry-run")
    report = (await run("scheduler", "rebalance", "--json")).json

    assert "No job would be moved: score " in told.out
    assert "1 job left alone: " in told.out
    assert (report["total_moves"], report["jobs_updated"]) == (0, 0)
    assert len(report["skipped"]) == 1


async def test_options_before_the_subcommand_apply_to_it(run, blatt):
    assert (await run("scheduler", "--json", "status")).json["schedulers"] == []


@pytest.mark.parametrize(("setting", "schedulers"), [("true", 1), ("false", 0)])
async def test_a_watch_runs_a_scheduler_unless_it_is_disabled(database, run, setting, schedulers):
    settings = {
        "OUTRIDER_DATABASE_URL": database,
        "OUTRIDER_SCHEDULER": setting,
        "OUTRIDER_CONTACT": "me@example.com",
    }
    async with Newsroom(MovableClock()) as room:
        room.publish("/", page("Front page"))
        await run("source", "add", room.origin(), "--mode", "spider", "--force")
        watched = await outrider_meanwhile("watch", "--once", "--workers", "1", settings=settings)

    assert watched.code == 0
    assert len((await run("scheduler", "status", "--json")).json["schedulers"]) == schedulers
    told = await outrider_meanwhile("scheduler", "status", settings=settings)
    assert ("`outrider watch` runs no jobs, only `outrider scheduler`" in told.out) is (setting == "false")
