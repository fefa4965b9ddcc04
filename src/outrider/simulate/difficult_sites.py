"""How the crawler handled traps, mirrors and silent sites. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from outrider.simulate.findings import SimulationFindings
from outrider.simulate.kinds import SiteKind
from outrider.simulate.knowledge import StoredCopy
from outrider.simulate.server import RequestPurpose
from outrider.simulate.site_failures import SiteOutage, outage_of
from outrider.simulate.sites import DAY_S, Site
from outrider.simulate.web import LoggedRequest


@dataclass(frozen=True, slots=True)
class Traps:
    """`recognised` counts the calendars that the crawler found to be endless."""

    calendars: int
    recognised: int
    mazes: int
    requests: int
    most_on_one_site: int


@dataclass(frozen=True, slots=True)
class Mirrors:
    """`recognised` counts the pages of mirrors that the crawler found to be duplicates."""

    sites: int
    pages: int
    recognised: int


@dataclass(frozen=True, slots=True)
class SilentSites:
    """Sites that stopped answering; `requests_a_day` is per site while it did not answer."""

    sites: int
    requests: int
    requests_a_day: float
    came_back: int
    found_again: int


def traps(sites: Sequence[Site], log: Sequence[LoggedRequest], findings: SimulationFindings) -> Traps:
    calendars = [site.host for site in sites if site.kind is SiteKind.CALENDAR]
    in_traps = Counter(request.host for request in log if request.asked is RequestPurpose.TRAP)
    return Traps(
        calendars=len(calendars),
        recognised=len(findings.barren.intersection(calendars)),
        mazes=sum(site.kind is SiteKind.MAZE for site in sites),
        requests=in_traps.total(),
        most_on_one_site=max(in_traps.values(), default=0),
    )


def mirrors(
    sites: Sequence[Site], copies: Mapping[tuple[str, str], StoredCopy], findings: SimulationFindings
) -> Mirrors:
    """Either of two equal sites may count as the mirror: the crawler takes the one it saw later."""
    pairs = [site for site in sites if site.host != site.content]
    hosts = {site.host for site in pairs}
    involved = hosts | {site.content for site in pairs}
    return Mirrors(
        sites=len(pairs),
        pages=sum(host in hosts for host, _ in copies),
        recognised=sum(number for host, number in findings.duplicates.items() if host in involved),
    )


def silent_sites(sites: Sequence[Site], log: Sequence[LoggedRequest], now_s: float) -> SilentSites:
    outages = {
        site.host: outage for site in sites if (outage := outage_of(site)) and outage.silent_from_s < now_s
    }
    asked = sum(
        outages[request.host].is_silent(request.began_s) for request in log if request.host in outages
    )
    silent_s = sum(min(outage.back_s, now_s) - outage.silent_from_s for outage in outages.values())
    returned = {host: outage for host, outage in outages.items() if outage.back_s < now_s}
    return SilentSites(
        sites=len(outages),
        requests=asked,
        requests_a_day=round(asked / (silent_s / DAY_S), 1) if silent_s else 0.0,
        came_back=len(returned),
        found_again=len({request.host for request in log if _is_found_again(request, returned)}),
    )


def _is_found_again(request: LoggedRequest, returned: Mapping[str, SiteOutage]) -> bool:
    outage = returned.get(request.host)
    return outage is not None and request.status == 200 and request.began_s >= outage.back_s
