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

    assert listed == {"total": 1, "jobs": [of_source]}
    assert shown == of_source | {"stats": shown["stats"], "last_runs": []}
    assert (shown["source_name"], shown["status"], shown["runs"]) == ("blatt", "scheduled", 0)
    assert (shown["interval_minutes"], shown["interval_type"], shown["priority"]) == (38, "minutes", 50)

    assert "38 minutes" in (await run("job", "list")).out
    told = (await run("job", "show", "blatt")).out
    assert "every         38 minutes" in told
    assert "adaptive      not visited yet: every 38 min" in told
    assert "job           every 38 minutes, next " in (await run("source", "show", "blatt")).out


async def test_pausing_and_resuming_say_what_became_of_it_or_why_not(run, synced):
    assert (await run("job", "pause", "blatt")).out == "Job 1 of blatt is paused.\n"
    twice = await run("job", "pause", "blatt")
    assert (twice.code, twice.err) == (
        1,
        "outrider: the job is paused: only a scheduled one can be paused; you can resume or cancel it\n",
    )
    assert "paused by hand" in (await run("job", "show", "blatt")).out
    assert "paused by hand" in (await run("job", "list", "--status", "paused,failed")).out

    assert (await run("job", "resume", "blatt", "--json")).json["status"] == "scheduled"
    twice = await run("job", "resume", "blatt")
    assert twice.err.startswith(
        "outrider: the job is scheduled: only a paused one can be resumed; you can pause"
    )
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


async def test_a_job_is_added_edited_run_cancelled_and_removed(run, synced):
    added = await run("job", "add", "blatt", "--every", "6h", "--no-adaptive", "--max-retries", "1")
    assert added.out.startswith("Job 2 of blatt is added: every 6 hours, first in ")
    assert (await run("job", "add", "blatt")).out == "Job 3 of blatt is added: it runs once, now.\n"

    edited = await run("job", "edit", "2", "--every", "360m", "--json")
    assert (edited.json["interval_minutes"], edited.json["interval_type"]) == (360, "minutes")
    assert (edited.json["adaptive_reason"], edited.json["max_retries"]) == (None, 1)
    assert (await run("job", "run", "2")).out == "Job 2 of blatt is queued to run now.\n"
    assert (await run("job", "cancel", "2")).out == "Job 2 of blatt is cancelled.\n"
    assert (await run("job", "history", "2")).out == "The job has not run yet.\n"
    assert (await run("job", "history", "2", "--json")).json == {"total": 0, "runs": []}

    unanswered = await run("job", "remove", "2")
    assert (unanswered.code, unanswered.out.strip()) == (1, "")
    assert "use --yes to skip this question" in unanswered.err
    assert (await run("job", "remove", "2", "--yes")).out == "Job 2 of blatt is removed.\n"
    again = await run("job", "remove", "2", "--yes")
    assert (again.code, again.err) == (
        1,
        "outrider: there is no job of that number: `outrider job list` shows them\n",
    )


async def test_many_jobs_are_changed_at_once_and_those_that_refuse_say_why(run, synced):
    for _ in range(2):
        await run("job", "add", "blatt", "--every", "1d")
    await run("job", "pause", "2")

    tried = await run("job", "pause", "--source", "bl*", "--dry-run")
    assert (tried.code, tried.out) == (1, "2 jobs would be paused, 1 refused.\n")
    done = await run("job", "pause", "--source", "bl*")
    assert (done.code, done.out) == (1, "2 jobs paused, 1 refused.\n")
    why = "the job is paused: only a scheduled one can be paused; you can resume or cancel it"
    assert done.err == tried.err == f"outrider: blatt: {why}\n"
    assert (await run("job", "resume", "--all", "--json")).json["changed"] == 3

    asked = await run("job", "cancel", "--all")
    assert (asked.code, "Cancel 3 jobs for ever?" in asked.err) == (1, True)
    assert (await run("job", "cancel", "--all", "--yes")).out == "3 jobs cancelled.\n"


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("add", "blatt", "--every", "0h"), 2, "the interval is 0 hours: it must be at least 1"),
        (("add", "blatt", "--every", "-5m"), 2, "the interval is -5 minutes: it must be at least 1"),
        (("add", "blatt", "--every", "1.5h"), 2, "is not a whole number"),
        (("add", "blatt", "--every", "9999d"), 2, "the interval is longer than 366 days"),
        (("add", "nobody", "--every", "6h"), 1, "no source is called 'nobody'"),
        (("add", "aus"), 1, "'aus' is disabled: `outrider source enable` first"),
        (("show", "77"), 1, "there is no job of that number: `outrider job list` shows them"),
        (("pause", "nobody"), 1, "there is no such job: no source is called 'nobody'"),
        (("retry", "blatt"), 1, "the job is scheduled: only a failed one can be retried"),
        (("pause",), 2, "say which jobs: name them, or use --label, --source, --status or --all"),
        (("pause", "--label", "nothing"), 1, "no job matches: `outrider job list` shows them all"),
        (("edit", "blatt"), 2, "say what changes: --every, --priority, --adaptive or --max-retries"),
        (("list", "--status", "done"), 2, "there is no status 'done', only pending, scheduled"),
        (("list", "--sort", "age"), 2, "there is no sort 'age', only next_run_at"),
        (("list", "--limit", "251"), 2, "Input should be less than or equal to 250"),
        (("list", "--source", "nobody"), 1, "no source is called 'nobody'"),
    ],
)
async def test_bad_input_is_one_clear_sentence(run, synced, arguments, code, sentence):
    said = await run("job", *arguments)

    assert (said.code, said.out) == (code, "")
    assert sentence in said.err
    assert said.err.count("\n") == 1


async def test_the_figures_of_all_jobs_and_of_one(run, synced):
    assert (await run("job", "stats")).out == "jobs          1 scheduled\nruns          0 kept, 0 running\n"
    figures = (await run("job", "stats", "--json")).json
    assert (figures["jobs"], figures["success_rate"]) == ({"scheduled": 1}, None)
    assert (await run("job", "stats", "blatt")).out == "history       no runs yet\n"
    assert (await run("job", "stats", "blatt", "--json")).json["total_executions"] == 0


def test_where_nothing_is_watched_yet_there_is_nothing_to_do_and_no_database_is_made(tmp_path):
    nowhere = {"OUTRIDER_DATA": str(tmp_path / "data")}

    assert "There are no jobs yet" in outrider_here("job", "list", settings=nowhere).out
    assert outrider_here("source", "sync", settings=nowhere).out == "0 enabled sources: nothing to do.\n"
    assert not (tmp_path / "data").exists()
