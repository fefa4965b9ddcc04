"""The run of a crawl outlives every process, and ends within seconds when it is cancelled."""

import json
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from chaos.stage import Stage, crawl_of, staged
from tests.support.command import Ran, outrider
from tests.support.crawl import QUICK
from tests.support.database import this_run
from tests.support.web import Web

from outrider.frontier.runs import ENTRIES_AT_ONCE

HOSTS = 20
PAGES_PER_HOST = 100
DELAY = 0.1
CANCEL_HOSTS = 40
CANCEL_PAGES_PER_HOST = 200
MANY = ENTRIES_AT_ONCE + 100  # more than one batch of entries that are queued again
QUIET_MS = 2_000  # after this no request of a cancelled run begins


@pytest.mark.serial
@pytest.mark.timeout(300)
def test_a_run_that_was_killed_in_the_middle_ends_with_every_page(tmp_path: Path) -> None:
    with (
        Web.start(tmp_path, hosts=HOSTS, pages_per_host=PAGES_PER_HOST) as web,
        staged(
            this_run() / "survive", web, crawl_of(web, "--workers", "2", "--delay", str(DELAY)), seed=3
        ) as stage,
    ):
        stage.wait_for_requests(HOSTS * PAGES_PER_HOST // 2)
        _kill_everything(stage)
        interrupted = _run_of(stage)
        stage.run.start()
        exit_code = stage.run.wait(180)
        output = stage.run.output()
        listed = _outrider(stage, "run", "list", "--json").json["runs"]
        run = _run_of(stage)

    assert exit_code == 0, output[-2000:]
    assert (interrupted["state"], interrupted["run"]) == ("interrupted", run["run"])
    assert 0 < interrupted["items_crawled"] < HOSTS * PAGES_PER_HOST
    assert f"resuming run {run['run']}, " in output
    assert [each["run"] for each in listed] == [run["run"]]
    assert (run["state"], run["items_crawled"]) == ("completed", HOSTS * PAGES_PER_HOST)
    assert run["progress"]["added"] == run["progress"]["settled"] == HOSTS * PAGES_PER_HOST
    assert run["crawl_metrics"]["status_codes"] == {"200": HOSTS * PAGES_PER_HOST}


@pytest.mark.serial
@pytest.mark.timeout(300)
def test_a_cancel_from_another_process_ends_the_requests_and_a_new_start_fetches_the_rest(
    tmp_path: Path,
) -> None:
    pages = CANCEL_HOSTS * CANCEL_PAGES_PER_HOST
    with (
        Web.start(tmp_path, hosts=CANCEL_HOSTS, pages_per_host=CANCEL_PAGES_PER_HOST) as web,
        staged(
            this_run() / "cancel", web, crawl_of(web, "--workers", "2", "--delay", "0.3", "--json"), seed=4
        ) as stage,
    ):
        stage.wait_until_all_are_known()
        while _run_of(stage)["progress"]["waiting"] <= MANY:
            stage.wait_for_requests(CANCEL_HOSTS)
        cancelled = _outrider(stage, "run", "cancel", "last", "--json")
        exit_code = stage.run.wait(60)
        summary = json.loads(stage.run.output().splitlines()[-1])
        last_ms = max(hit.started_ms for hit in web.log())
        fetched = {(hit.address, hit.path) for hit in web.log() if hit.path != "/robots.txt"}
        again = outrider(
            *("crawl", *web.seeds, "--depth", "-1", "--workers", "2", "--delay", "0", "--json"),
            settings={**QUICK, "OUTRIDER_DATA": str(stage.run.data)},
            timeout=240,
        )
    asked = Counter((hit.address, hit.path) for hit in web.log() if hit.path != "/robots.txt")

    assert cancelled.code == 0, cancelled.err
    run = cancelled.json
    asked_ms = datetime.fromisoformat(run["cancel_at"]).timestamp() * 1000
    assert last_ms - asked_ms < QUIET_MS
    assert (run["state"], run["items_crawled"]) == ("cancelled", len(fetched))
    assert run["crawl_metrics"]["entries"]["withdrawn"] > MANY
    assert (exit_code, summary["ending"], summary["run"]) == (0, "cancelled", run["run"])
    assert summary["total"]["pending"] == 0
    assert again.code == 0, again.err
    assert (again.lines[-1]["ending"], again.lines[-1]["run"]) == ("finished", run["run"] + 1)
    assert len(asked) == pages
    twice = {page for page, times in asked.items() if times > 1}
    assert twice <= {(address, "/") for address in web.addresses}, "only the start pages are fetched again"


def _kill_everything(stage: Stage) -> None:
    stage.run.kill()
    stage.run.kill_keeper()
    stage.run.kill_postgres()


def _outrider(stage: Stage, *arguments: str) -> Ran:
    return outrider(*arguments, settings={"OUTRIDER_DATA": str(stage.run.data)})


def _run_of(stage: Stage) -> dict[str, Any]:
    shown = _outrider(stage, "run", "show", "last", "--json")
    assert shown.code == 0, shown.err
    return shown.json
