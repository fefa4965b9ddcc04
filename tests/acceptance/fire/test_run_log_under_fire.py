"""A follower sees the log of a crawl whole and once, whatever is killed meanwhile."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from chaos.faults import FAULTS
from chaos.stage import crawl_of, staged
from tests.support.command import outrider
from tests.support.database import this_run
from tests.support.web import Web

HOSTS = 10
PAGES_PER_HOST = 60
DELAY = 0.1
FOLLOW = ("--follow", "--after", "1-0", "--json")


@pytest.mark.serial
@pytest.mark.timeout(240)
def test_a_follower_and_the_archive_have_every_line_once_whatever_is_killed(tmp_path: Path) -> None:
    dice = random.Random(5)
    plan = ["kill a worker"] * 3 + ["kill PostgreSQL"] * 2 + ["kill the command"]
    dice.shuffle(plan)
    followed = tmp_path / "followed.jsonl"
    detailed = {"OUTRIDER_RUN_LOG_VERBOSITY": "debug"}
    with (
        Web.start(tmp_path, hosts=HOSTS, pages_per_host=PAGES_PER_HOST) as web,
        staged(
            this_run() / "log",
            web,
            crawl_of(web, "--workers", "2", "--delay", str(DELAY), environment=detailed),
            seed=5,
        ) as stage,
    ):
        environment = stage.run.environment
        stage.wait_for_requests(20)
        with followed.open("wb") as output:
            follower = subprocess.Popen(
                [sys.executable, "-m", "outrider", "run", "log", "last", *FOLLOW],
                env=environment,
                stdout=output,
            )
        try:
            for name in plan:
                stage.wait_for_requests(dice.randint(1, 60))
                FAULTS[name].happen(stage)
            exit_code = stage.run.wait(150)
            assert follower.wait(60) == 0
        finally:
            follower.kill()
            follower.wait()
        settings = {"OUTRIDER_DATA": environment["OUTRIDER_DATA"]}
        shown = outrider("run", "log", "1", "--last", "1000000", "--json", settings=settings)

    assert exit_code == 0
    lines = [json.loads(line) for line in followed.read_text().splitlines()]
    numbers = [int(line["position"].partition("-")[2]) for line in lines]
    assert numbers == list(range(1, len(lines) + 1)), "no gap and no duplicate"
    assert shown.lines == lines, "the archive has the same lines"
    assert lines[-1]["message"].startswith(f"run completed: {HOSTS * PAGES_PER_HOST:,} pages")
