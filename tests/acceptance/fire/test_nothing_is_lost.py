import asyncio
import bisect
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from chaos.faults import FAULTS, Strike
from chaos.promises import judge
from chaos.stage import crawl_of, staged
from tests.support.database import this_run
from tests.support.web import Hit, Web

from outrider.crawl.flush import BEHIND_S

HOSTS = 20
PAGES_PER_HOST = 100
DELAY = 0.15
# Of each host a kill can cost the page under way and two that wait: a commit comes every quarter of a second.
MOST_IN_FLIGHT = 3 * HOSTS
# Right after the database died also what was fetched until the worker saw that it cannot write.
MOST_UNWRITTEN = MOST_IN_FLIGHT + int(BEHIND_S / DELAY) * HOSTS
# What a process sent right before it was killed, the web server reads a moment later.
READ_LATE_MS = 100.0


@pytest.mark.serial
@pytest.mark.timeout(300)
def test_every_page_is_stored_once_whatever_is_killed(tmp_path: Path) -> None:
    dice = random.Random(2)
    plan = (
        ["kill a worker"] * 10 + ["kill all workers"] * 3 + ["kill PostgreSQL"] * 5 + ["kill the command"] * 2
    )
    dice.shuffle(plan)
    with (
        Web.start(tmp_path, hosts=HOSTS, pages_per_host=PAGES_PER_HOST) as web,
        staged(
            this_run() / "lost",
            web,
            crawl_of(web, "--workers", "2", "--delay", str(DELAY)),
            seed=2,
        ) as stage,
    ):
        strikes: list[Strike] = []
        for name in plan:
            stage.wait_for_requests(dice.randint(1, 120))
            strikes.append(FAULTS[name].happen(stage))
        exit_code = stage.run.wait(180)
        output = stage.run.output()
        verdict = asyncio.run(judge(stage, web.urls, lambda address: DELAY, strikes=strikes))

    kills = [strike.over_ms for strike in strikes]
    wasted = _wasted([hit for hit in web.log() if hit.status == 200])
    seen = f"{verdict}, {len(wasted)} fetched twice, {len(kills)} kills\n{output[-2000:]}"
    assert verdict.is_clean, seen
    assert exit_code == 0, seen
    cost = _by_kill(wasted, kills)
    for number in range(len(plan)):
        database_died = "kill PostgreSQL" in plan[max(number - 2, 0) : number]
        assert cost[number] <= (MOST_UNWRITTEN if database_died else MOST_IN_FLIGHT), f"{cost} of {seen}"
    assert cost[len(kills)] == 0, f"pages were fetched again without a kill: {seen}"


def _wasted(hits: Sequence[Hit]) -> list[Hit]:
    """Answers that were lost: all but the last for each page."""
    last = {(hit.address, hit.path): hit for hit in hits}
    return [hit for hit in hits if last[hit.address, hit.path] is not hit]


def _by_kill(wasted: Sequence[Hit], kills: Sequence[float]) -> Counter[int]:
    """How many answers each kill cost: those between the kill before it and itself."""
    return Counter(bisect.bisect(kills, hit.started_ms - READ_LATE_MS) for hit in wasted)
