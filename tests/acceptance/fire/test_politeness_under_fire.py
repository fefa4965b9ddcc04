import random
import time
from pathlib import Path

import pytest
from chaos.rounds import SLOW_S
from chaos.stage import crawl_of, staged
from tests.support.database import this_run
from tests.support.politeness import violations
from tests.support.web import Web

HOSTS = 40
WORKERS = 8
FIRE_S = 25.0
LEAST_KILLS = 8
OUR_DELAY = 0.05
ASKED_DELAYS = (None, 0.1, 0.3, 1.0)  # by robots.txt; a host that asks for nothing gets ours


def asked_delay(address: str) -> float | None:
    return ASKED_DELAYS[int(address.rpartition(".")[2]) % len(ASKED_DELAYS)]


def robots(address: str) -> str | None:
    delay = asked_delay(address)
    return None if delay is None else f"User-agent: *\nCrawl-delay: {delay}\n"


@pytest.mark.serial
@pytest.mark.timeout(240)
def test_no_request_is_early_and_no_two_overlap_while_workers_are_killed(tmp_path: Path) -> None:
    dice = random.Random(20)
    kills = 0
    with (
        Web.start(
            tmp_path,
            hosts=HOSTS,
            pages_per_host=1000,
            redirect_every=7,
            robots=robots,
            latency=0.2,
            slow=SLOW_S,
        ) as web,
        staged(
            this_run() / "politeness",
            web,
            crawl_of(web, "--workers", str(WORKERS), "--delay", str(OUR_DELAY)),
            seed=20,
        ) as stage,
    ):
        stage.wait_for_requests(HOSTS)
        until = time.monotonic() + FIRE_S
        while time.monotonic() < until or kills < LEAST_KILLS:
            stage.wait_for_requests(dice.randint(1, 300))
            run = stage.run
            kills += run.kill_all_workers() if dice.random() < 0.1 else run.kill_a_worker(dice)
        stage.wait_for_requests(5 * HOSTS)
        exit_code = stage.run.interrupt()
        output = stage.run.output()

    hits = web.log()
    seen = f"{len(hits)} requests, {kills} workers killed\n{output[-2000:]}"
    found = violations(hits, lambda address: asked_delay(address) or OUR_DELAY)
    assert not found, f"{len(found)} of {seen}\n" + "\n".join(map(str, found[:20]))
    assert exit_code == 0, seen
    assert {hit.address for hit in hits if hit.path == "/robots.txt"} == set(web.addresses), seen
    assert {hit.status for hit in hits} == {200, 301, 302, 404}, (
        seen
    )  # pages, both kinds of redirects, robots.txt
