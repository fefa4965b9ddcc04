"""Hosts that keep us waiting, and the others that must not wait for them."""

import asyncio
from pathlib import Path

import pytest
from chaos.promises import judge
from chaos.slowness import SLOW, dripping_site, silent_port, silent_seeds
from chaos.stage import crawl_of, staged
from tests.support.database import this_run
from tests.support.web import Web

DELAY = 0.1
SILENT_HOSTS = 400


@pytest.mark.timeout(240)
def test_hosts_that_drip_or_never_answer_cost_the_others_nothing(tmp_path: Path) -> None:
    with (
        silent_port() as port,
        dripping_site(tmp_path / "site", hosts=1) as site,
        Web.start(tmp_path / "web", hosts=8, pages_per_host=20) as web,
    ):
        slow = [site.url, *silent_seeds(port, SILENT_HOSTS)]
        seeds = tmp_path / "seeds"
        seeds.write_text("\n".join(slow))
        options = ("--seeds", str(seeds), "--workers", "2", "--delay", str(DELAY))
        with staged(this_run() / "slow", web, crawl_of(web, *options, environment=SLOW), seed=1) as stage:
            exit_code = stage.run.wait(180)
            asked = site.log()
            verdict = asyncio.run(
                judge(stage, web.urls, lambda address: DELAY, unanswered=slow, beside=asked)
            )
            seen = f"{verdict}\n{stage.run.output()[-2000:]}"

    assert verdict.is_clean, seen
    assert exit_code == 0, seen
    assert "Paused" in seen
    assert "The same command resumes." in seen
    assert len(asked) > 1
