"""Hosts that keep us waiting, and the others that must not wait for them."""

import asyncio
from pathlib import Path

import pytest
from chaos.promises import judge
from chaos.silence import SILENT, silent_port, silent_seeds
from chaos.stage import Stage, crawl_of, staged
from tests.support.database import this_run
from tests.support.politeness import violations
from tests.support.site import Answer, Plan, Site
from tests.support.web import Web

DELAY = 0.1
SILENT_HOSTS = 400
DRIPPING = Answer(body="a" * 60, headers={"Content-Type": "text/html"}, drip=1.0)


@pytest.mark.serial
@pytest.mark.timeout(240)
def test_hosts_that_drip_or_never_answer_cost_the_others_nothing(tmp_path: Path) -> None:
    plan = Plan(pages=0, first_octet=240, answers={"/": [DRIPPING]})
    with (
        silent_port() as port,
        Site.start(tmp_path / "site", plan) as site,
        Web.start(tmp_path / "web", hosts=8, pages_per_host=20) as web,
    ):
        seeds = tmp_path / "seeds"
        seeds.write_text("\n".join([site.url, *silent_seeds(port, SILENT_HOSTS)]))
        options = ("--seeds", str(seeds), "--workers", "2", "--delay", str(DELAY))
        with staged(this_run() / "slow", web, crawl_of(web, *options, environment=SILENT), seed=1) as stage:
            exit_code = stage.run.wait(180)
            verdict = asyncio.run(judge(stage, web.urls, lambda address: DELAY))
            waiting = asyncio.run(_waiting(stage))
            seen = f"{verdict}\n{stage.run.output()[-2000:]}"
        asked = site.log()

    assert verdict.is_clean, seen
    assert exit_code == 0, seen
    assert waiting == SILENT_HOSTS + 1, "what did not answer stays queued"
    assert "Paused" in seen
    assert "The same command goes on." in seen
    assert len(asked) > 1
    assert not violations(asked, lambda address: DELAY)


async def _waiting(stage: Stage) -> int:
    async with stage.run.database() as db:
        count: int = await db.fetchval("SELECT count(*) FROM url WHERE kind = 0 AND q_at IS NOT NULL")
        return count
