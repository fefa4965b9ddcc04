"""Simulated failures and latencies of sites, drawn for each request."""

from dataclasses import dataclass
from math import ceil

from outrider.fetch.outcome import Failure
from outrider.simulate.kinds import SiteKind
from outrider.simulate.random_values import between, draw
from outrider.simulate.sites import DAY_S, Site

FAILING_S = DAY_S / 2  # how long a dying site answers 503 before it stops answering

_STORMS = 0.6  # share of the days of a stormy site with a storm
_COMES_BACK = 1 / 3  # share of the dying sites that come back
_GLITCHES = 0.004  # share of requests whose connection breaks, and share of requests answered with 503
_TICK_S = 0.1  # latencies are rounded up to this, so that answers of one tick share a transaction


@dataclass(frozen=True, slots=True)
class SimulatedFailure:
    """A simulated failure: an error status, or a failure of the connection."""

    status: int = 0
    failure: Failure | None = None
    retry_after_s: int | None = None


@dataclass(frozen=True, slots=True)
class SiteOutage:
    """When a dying site starts to answer 503, stops answering and, if ever, comes back."""

    failing_from_s: float
    silent_from_s: float
    back_s: float

    def is_silent(self, now_s: float) -> bool:
        return self.silent_from_s <= now_s < self.back_s


def outage_of(site: Site) -> SiteOutage | None:
    """The times of a dying site; None for other sites."""
    if site.kind is not SiteKind.DYING:
        return None
    failing_from_s = between(0.5 * DAY_S, 4 * DAY_S, site.seed, site.host, "sick")
    silent_from_s = failing_from_s + FAILING_S
    comes_back = draw(site.seed, site.host, "back?") < _COMES_BACK
    away_s = between(DAY_S, 2 * DAY_S, site.seed, site.host, "back")
    return SiteOutage(failing_from_s, silent_from_s, silent_from_s + away_s if comes_back else float("inf"))


def failure_of(site: Site, path: str, now_s: float) -> SimulatedFailure | None:
    """The failure of this request; None when the site answers."""
    outage = outage_of(site)
    if outage is not None and outage.failing_from_s <= now_s < outage.back_s:
        return SimulatedFailure(failure=Failure.REFUSED) if outage.is_silent(now_s) else SimulatedFailure(503)
    if site.kind is SiteKind.STORMY and (left_s := _storm_left_s(site, now_s)) > 0:
        return SimulatedFailure(429, retry_after_s=int(min(left_s, 900)) + 1)
    luck = draw(site.seed, site.host, path, now_s, "luck")
    if luck < _GLITCHES:
        return SimulatedFailure(failure=Failure.RESET)
    return SimulatedFailure(503) if luck < 2 * _GLITCHES else None


def latency_s(site: Site, path: str, now_s: float) -> float:
    """The latency of one request: mostly near that of the site, in 3 % of cases several times that."""
    luck = draw(site.seed, site.host, path, now_s, "latency")
    exact_s = site.latency_s * (0.6 + 0.8 * luck + (4 * luck if luck > 0.97 else 0))
    return ceil(exact_s / _TICK_S) * _TICK_S


def _storm_left_s(site: Site, now_s: float) -> float:
    """Seconds until the storm is over; 0 without a storm."""
    day = now_s // DAY_S
    if draw(site.seed, site.host, day, "storm?") >= _STORMS:
        return 0.0
    begins_s = day * DAY_S + between(0, 20 * 3600, site.seed, site.host, day, "storm begins")
    ends_s = begins_s + between(1800, 3 * 3600, site.seed, site.host, day, "storm lasts")
    return ends_s - now_s if begins_s <= now_s < ends_s else 0.0
