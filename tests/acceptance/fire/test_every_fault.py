"""What can go wrong with database, disk, network and clock, once each, in one crawl."""

import asyncio
from pathlib import Path

import pytest
from chaos.faults import FAULTS
from chaos.promises import judge
from chaos.rounds import FEW_LINKS
from chaos.stage import crawl_of, staged
from tests.support.database import this_run
from tests.support.embedded import within
from tests.support.web import Web

HOSTS = 16
PAGES_PER_HOST = 100  # the faults need about 60: while a worker is frozen, the other one fetches its pages
DELAY = 0.15
SHOT_ELSEWHERE = {"kill a worker", "kill all workers", "kill the command", "kill PostgreSQL"}
# Long enough for every timeout in the way: 2 s a request, 6 s a lease.
LASTS_S = {
    "freeze a worker": 7.0,
    "keep PostgreSQL down": 5.0,
    "freeze PostgreSQL": 7.0,
    "fill the disk": 4.0,
    "cut the network": 3.0,
    "silence the network": 3.0,
}


@pytest.mark.parametrize("name", FAULTS)
def test_this_machine_can_have_the_fault(name: str) -> None:
    if why := FAULTS[name].why_not():
        pytest.skip(f"cannot {name} here: {why}")


@pytest.mark.timeout(240)
def test_every_promise_is_kept_through_every_fault(tmp_path: Path) -> None:
    plan = [name for name, fault in FAULTS.items() if name not in SHOT_ELSEWHERE and not fault.why_not()]
    with (
        Web.start(tmp_path, hosts=HOSTS, pages_per_host=PAGES_PER_HOST, links=FEW_LINKS, latency=0.05) as web,
        staged(
            this_run() / "faults",
            web,
            crawl_of(web, "--workers", "2", "--delay", str(DELAY)),
            seed=4,
        ) as stage,
    ):
        stage.wait_until_all_are_known()
        strikes = []
        for name in plan:
            strikes.append(FAULTS[name].happen(stage, lasts_s=LASTS_S.get(name, 0.0)))
            stage.wait_for_requests(HOSTS)
        exit_code = stage.run.wait(120)
        has_stopped = within(20, lambda: not stage.is_served())
        verdict = asyncio.run(judge(stage, web.urls, lambda address: DELAY, strikes=strikes))
        seen = f"{verdict}\n{stage.run.output()[-3000:]}"

    assert verdict.is_clean, seen
    assert exit_code == 0, seen
    assert has_stopped, "PostgreSQL stays behind"
