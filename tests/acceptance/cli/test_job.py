"""`outrider job` and `outrider source sync`, as somebody uses them who keeps an eye on what runs."""

from functools import partial

import asyncpg
import pytest
from tests.support.command import outrider_here, outrider_here_meanwhile

REPORT = {
    "sources_seen": 2,
    "sources_enabled": 1,
    "created": 0,
    "already_has_job": 1,
    "resumed": 0,
    "skipped_disabled": 1,
    "errors": [],
}


@pytest.fixture
async def run(database):
    return partial(outrider_here_meanwhile, settings={"OUTRIDER_DATABASE_URL": database})


@pytest.fixture
async def synced(run):
    """One source at work and one that is disabled, with what the first sync says."""
    for name in ("blatt", "aus"):
        await run(
            "source", "add", f"https://{name}.test/", "--name", name, "--feed", f"https://{name}.test/f"
        )
    await run("source", "disable", "aus", "--reason", "sold")
    return await run("source", "sync")


async def test_a_sync_makes_what_is_missing_and_says_so(run, synced):
    assert (synced.code, synced.out) == (0, "1 enabled source: 1 job made. 1 disabled source left alone.\n")
    again = await run("source", "sync", "--json")
    assert (again.code, again.json) == (0, REPORT)


async def test_a_sync_that_could_not_do_everything_fails_and_names_the_source(run, synced, database):
    db = await asyncpg.connect(database)
    await db.execute("""UPDATE source SET policy = '[]' WHERE name = 'blatt'""")
    await db.close()

    said = await run("source", "sync")

    assert (said.code, said.out) == (1, "1 enabled source: 1 failed. 1 disabled source left alone.\n")
    assert said.err.startswith("outrider: blatt: ")


async def test_a_job_is_listed_and_shown_with_its_source(run, synced):
    listed = (await run("job", "list", "--json")).json
    shown = (await run("job", "show", "blatt", "--json")).json
    of_source = (await run("source", "show", "blatt", "--json")).json["job"]

    assert listed == {"total": 1, "jobs": [shown]}
    assert shown == of_source
    assert (shown["source_name"], shown["status"], shown["runs"]) == ("blatt", "scheduled", 0)
    assert (shown["interval_minutes"], shown["interval_type"], shown["priority"]) == (38, "minutes", 50)

    assert "38 minutes" in (await run("job", "list")).out
    assert "every         38 minutes" in (await run("job", "show", "blatt")).out
    assert "job           every 38 minutes, next " in (await run("source", "show", "blatt")).out


async def test_pausing_and_resuming_say_what_became_of_it_or_why_not(run, synced):
    assert (await run("job", "pause", "blatt")).out == "The job of blatt is paused.\n"
    twice = await run("job", "pause", "blatt")
    assert (twice.code, twice.err) == (1, "outrider: the job is paused already\n")
    assert "paused by hand" in (await run("job", "show", "blatt")).out
    assert "paused by hand" in (await run("job", "list", "--status", "paused")).out

    assert (await run("job", "resume", "blatt", "--json")).json["status"] == "scheduled"
    twice = await run("job", "resume", "blatt")
    assert twice.err == "outrider: the job is scheduled: only a paused one can be resumed\n"
    assert (await run("job", "list", "--status", "paused")).out == "No job matches.\n"


async def test_the_job_of_a_disabled_source_waits_for_it(run, synced):
    await run("source", "disable", "blatt", "--reason", "sold")
    await run("source", "sync")

    assert "every 38 minutes, paused: its source is disabled" in (await run("source", "show", "blatt")).out
    refused = await run("job", "resume", "blatt")
    assert refused.code == 1
    assert "because 'blatt' is disabled: `outrider source enable` resumes both" in refused.err


async def test_a_source_without_a_job_says_how_it_gets_one(run, synced):
    said = await run("job", "show", "aus")

    assert said.code == 1
    assert "'aus' has no job" in said.err


def test_where_nothing_is_watched_yet_there_is_nothing_to_do_and_no_database_is_made(tmp_path):
    nowhere = {"OUTRIDER_DATA": str(tmp_path / "data")}

    assert "There are no jobs yet" in outrider_here("job", "list", settings=nowhere).out
    assert outrider_here("source", "sync", settings=nowhere).out == "0 enabled sources: nothing to do.\n"
    assert not (tmp_path / "data").exists()
