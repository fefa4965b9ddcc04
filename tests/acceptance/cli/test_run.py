"""`outrider run`, as an operator uses it who wants to know how crawls went."""

from functools import partial

import pytest
from tests.support.command import outrider_here, outrider_here_meanwhile
from tests.support.make import Operator

from outrider.crawl.seeds import start
from outrider.frontier.stats import StatsStore
from outrider.runs.ending import end_now
from outrider.sources.policy import Policy
from outrider.worker_registry.store import WorkerRegistry

A, B = "http://a.test/", "http://b.test/"


@pytest.fixture
async def operator(database):
    made = await Operator.enter(database)
    await made.run(lambda db: WorkerRegistry().record_stop(db, made.store.worker_id))
    yield made
    await made.connection.close()


@pytest.fixture
async def run(database):
    return partial(outrider_here_meanwhile, settings={"OUTRIDER_DATABASE_URL": database})


@pytest.fixture
async def two_runs(operator):
    """A run that has ended, and one whose process is gone."""
    for seed in (A, B):
        policy = Policy(seeds=(seed,))
        begun = await operator.run(lambda db, policy=policy: start(db, policy, operator.store, StatsStore()))
        if seed is A:
            await operator.run(lambda db, run=begun.run: end_now(db, operator.store, run))


async def test_runs_are_listed_newest_first(run, two_runs):
    listed = await run("run", "list")
    assert listed.code == 0
    first, second = [line.split() for line in listed.out.splitlines() if "crawl http" in line]
    assert (first[0], second[0]) == ("2", "1")
    assert "interrupted: `outrider crawl http://b.test/` goes on with it" in listed.out

    found = (await run("run", "list", "--json")).json
    assert found["total"] == 2
    assert [(each["run"], each["state"]) for each in found["runs"]] == [(2, "interrupted"), (1, "completed")]


async def test_the_list_of_one_source_has_its_numbers(run, two_runs):
    listed = await run("run", "list", "--source", A)
    assert "1 run of this source: 1 completed, 0 failed, success rate 100%" in listed.out
    found = (await run("run", "list", "--source", A, "--json")).json
    assert (found["total"], found["stats"]["successful"], found["stats"]["failed"]) == (1, 1, 0)


async def test_a_list_that_is_too_long_says_so(run, two_runs):
    assert "1 of 2 runs; --limit and --offset show more." in (await run("run", "list", "--limit", "1")).out
    assert (await run("run", "list", "--status", "failed")).out == "No run matches.\n"


async def test_one_run_is_shown_with_its_progress(run, two_runs):
    shown = await run("run", "show", "last")
    assert shown.out.startswith("run 2: crawl http://b.test/\n")
    assert "entries       1 added, 0 settled, 1 waits" in shown.out
    assert "started       20" in shown.out
    assert "by `outrider crawl`" in shown.out

    found = (await run("run", "show", "2", "--json")).json
    assert (found["run"], found["status"], found["state"]) == (2, "running", "interrupted")
    assert found["continue_with"] == "outrider crawl http://b.test/"
    assert found["progress"]["waiting"] == 1
    assert found["crawl_metrics"]["requests_total"] == 0


async def test_a_cancel_says_what_was_done_and_how_to_go_on(run, two_runs):
    said = await run("run", "cancel", "last")
    assert (said.code, said.out) == (
        0,
        "Run 2 is cancelled. 0 pages were fetched, 1 entry left the queue; "
        "`outrider crawl http://b.test/` fetches what is left.\n",
    )
    assert "cancelled: cancelled by an operator" not in (shown := (await run("run", "show", "2")).out)
    assert "state         cancelled by an operator" in shown


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("show", "99"), 1, "there is no run 99: `outrider run list` shows them"),
        (("cancel", "99"), 1, "there is no run 99: `outrider run list` shows them"),
        (("show", "first"), 2, "RUN is the number of a run, or `last`, not 'first'"),
        (("cancel", "-1"), 2, "No such option: -1"),
        (("cancel", "1"), 1, "run 1 has ended already: completed 20"),
        (("list", "--status", "done"), 2, "there is no status 'done', only running, completed, failed, canc"),
        (("list", "--source", "nobody"), 1, "no source is called 'nobody'"),
        (("list", "--job", "7"), 2, "a job is named by its id, which `outrider job show` prints, not by '7'"),
    ],
)
async def test_what_cannot_be_done_is_said_in_one_sentence(run, two_runs, arguments, code, said):
    refused = await run("run", *arguments)

    assert (refused.code, refused.out) == (code, "")
    assert refused.err.startswith(f"outrider: {said}")
    assert refused.err.count("\n") == 1


def test_where_nothing_was_crawled_yet_there_are_no_runs_and_no_database_is_made(tmp_path):
    nowhere = {"OUTRIDER_DATA": str(tmp_path / "data")}

    assert "There are no runs yet" in outrider_here("run", "list", settings=nowhere).out
    assert not (tmp_path / "data").exists()
