"""The plan of a simulation: the size of the web, the duration, and the crawl policy."""

from dataclasses import dataclass, field, replace
from datetime import datetime

from outrider.settings import Settings
from outrider.simulate.mix import USUAL, Mix
from outrider.simulate.sites import DAY_S, START
from outrider.sources.model import Mode
from outrider.sources.policy import PolicyChanges

STEP_S = 300.0  # of virtual time: a week takes a minute, and freshness is exact to five minutes

# A lane's results wait for the next step, so a lease must outlast both. `effective_settings.py` names the
# settings that these values replace.
_LEASE_S = 3600.0
_HOSTS_A_CLAIM = 256
_URLS_A_LEASE = 40
_MOST_RUNS = 10_000


@dataclass(frozen=True, slots=True)
class WatchPolicy:
    """How the sites are watched; None means the crawler's default."""

    mode: Mode = Mode.FEED
    poll_s: float = 4 * 3600.0
    sitemap_poll_s: float = 24 * 3600.0
    revisit_s: float | None = None

    def of_source(self) -> PolicyChanges:
        """The policy of each simulated source."""
        return PolicyChanges(
            {
                "poll_s": self.poll_s,
                "sitemap_poll_s": self.sitemap_poll_s,
                "spider_without_feed": True,
                "recrawl_s": self.revisit_s,
            }
        )


@dataclass(frozen=True, slots=True)
class SimulationPlan:
    """One simulation."""

    hosts: int = 1_000
    days: float = 7.0
    seed: int = 1
    workers: int = 1
    mix: Mix = field(default_factory=lambda: USUAL)
    policy: WatchPolicy = field(default_factory=WatchPolicy)
    has_jobs: bool = False  # a scheduler runs the jobs of the sources
    start: datetime = START  # second 0 of virtual time
    begins_s: float = 0.0  # the crawl begins so long after the start
    step_s: float = STEP_S

    @property
    def lasts_s(self) -> float:
        return self.days * DAY_S


def settings_for(settings: Settings) -> Settings:
    """The user's settings, with leases and a number of runs that fit the steps of virtual time."""
    frontier = replace(
        settings.frontier, lease_s=_LEASE_S, hosts_per_claim=_HOSTS_A_CLAIM, urls_per_host=_URLS_A_LEASE
    )
    return replace(
        settings,
        frontier=frontier,
        crawl=replace(settings.crawl, turn_s=_LEASE_S),
        jobs=replace(settings.jobs, most_runs=_MOST_RUNS),
    )
