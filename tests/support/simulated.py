"""Reports of hardly anything, and rich things as they look in print."""

from dataclasses import replace
from typing import Any

from rich.console import Console, RenderableType

from outrider.settings import Settings
from outrider.simulate.findings import SimulationFindings
from outrider.simulate.plan import SimulationPlan
from outrider.simulate.report import Politeness, Report, report_of
from outrider.simulate.run import SimulationRun
from outrider.simulate.server import RequestPurpose
from outrider.simulate.sites import make_sites
from outrider.simulate.web import LoggedRequest

PLAN = SimulationPlan(hosts=3, days=1.0)
SITES = make_sites(PLAN.seed, PLAN.hosts, PLAN.mix)
LOG = [LoggedRequest(SITES[0].host, "/robots.txt", RequestPurpose.ROBOTS, 5, 6, 200, "robots", 300)]
REPORT = report_of(
    SimulationRun(PLAN, SITES, LOG, SimulationFindings(frozenset(), (), {}, frozenset()), PLAN.lasts_s),
    Settings(),
)


def rude(permitted: int = 0) -> Report:
    """Two violations, and so many of them as the settings allow."""
    permits = {"retry_after_cap": permitted, "respect_robots": 0}
    broken = {"rest for as long as it asked": 2}
    return replace(REPORT, politeness=Politeness(1, 1, 2, broken, permits, ["a.test/x after 3 s"]))


def planned(report: Report, **changes: Any) -> Report:
    return replace(report, plan={**report.plan, **changes})


def text_of(renderable: RenderableType, width: int = 150) -> str:
    console = Console(width=width)
    with console.capture() as captured:
        console.print(renderable)
    return captured.get()
