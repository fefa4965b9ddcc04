"""Checks the politeness of the crawler with the request log and the rules of the sites. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import inf

from outrider.hosts.options import HostOptions
from outrider.settings import Settings
from outrider.simulate.server import RequestPurpose
from outrider.simulate.sites import Site
from outrider.simulate.web import LoggedRequest

SLACK_S = 0.001
OWED_REST_S = HostOptions().pause_cap.total_seconds()  # the obligatory part of a longer Retry-After


class PolitenessRule(StrEnum):
    """The rules that a site may expect the crawler to keep."""

    ALONE = "one request at a time"
    DELAY = "the delay after each answer"
    RETRY_AFTER = "rest for as long as it asked"
    ROBOTS = "nothing its robots.txt forbids"


class Permit(StrEnum):
    """A setting that allows the crawler to break a rule: its name in `outrider.toml`."""

    RETRY_AFTER_CAP = "retry_after_cap"
    RESPECT_ROBOTS = "respect_robots"


@dataclass(frozen=True, slots=True)
class PolitenessSettings:
    """The politeness settings of the crawler."""

    delay_s: float = 1.0  # for sites that ask for none
    retry_after_cap_s: float = OWED_REST_S
    respects_robots: bool = True

    @classmethod
    def under(cls, settings: Settings) -> "PolitenessSettings":
        hosts = settings.hosts
        return cls(hosts.delay_ms / 1000, hosts.pause_cap.total_seconds(), settings.crawl.respect_robots)


@dataclass(frozen=True, slots=True)
class Violation:
    rule: PolitenessRule
    host: str
    path: str
    at_s: float
    early_s: float = 0.0
    permit: Permit | None = None  # the setting that allowed it; None: no setting did


def violations(
    log: Iterable[LoggedRequest], sites: Iterable[Site], settings: PolitenessSettings
) -> list[Violation]:
    """All violations, including those that a setting allowed."""
    of_host: dict[str, list[LoggedRequest]] = defaultdict(list)
    for request in log:
        of_host[request.host].append(request)
    found: list[Violation] = []
    for site in sites:
        requests = sorted(of_host.get(site.host, ()), key=lambda request: request.began_s)
        found += _judge(site, requests, settings)
    return found


def _judge(
    site: Site, requests: Sequence[LoggedRequest], settings: PolitenessSettings
) -> Iterable[Violation]:
    has_said = False  # whether the site has served its robots.txt
    free_s = rested_s = obeyed_s = -inf  # ends of the last answer, the owed rest, the allowed rest
    for request in requests:
        if site.has_private_pages and request.asked is RequestPurpose.PRIVATE:
            allowed = None if settings.respects_robots else Permit.RESPECT_ROBOTS
            yield Violation(
                PolitenessRule.ROBOTS, request.host, request.path, request.began_s, permit=allowed
            )
        delay_s = site.crawl_delay_s if has_said and site.crawl_delay_s is not None else settings.delay_s
        unheard_s = inf if settings.respects_robots else free_s + settings.delay_s
        for rule, earliest_s, permit, permitted_s in (
            (PolitenessRule.ALONE, free_s, None, inf),
            (PolitenessRule.DELAY, free_s + delay_s, Permit.RESPECT_ROBOTS, unheard_s),
            (PolitenessRule.RETRY_AFTER, rested_s, Permit.RETRY_AFTER_CAP, obeyed_s),
        ):
            if request.began_s < earliest_s - SLACK_S:
                early_s = earliest_s - request.began_s
                allowed = permit if request.began_s >= permitted_s - SLACK_S else None
                yield Violation(rule, request.host, request.path, request.began_s, early_s, allowed)
                break
        has_said = has_said or (request.asked is RequestPurpose.ROBOTS and request.status == 200)
        free_s, asked_s = request.ended_s, request.retry_after_s or 0.0
        rested_s = max(rested_s, free_s + min(asked_s, max(OWED_REST_S, settings.retry_after_cap_s)))
        obeyed_s = max(obeyed_s, free_s + min(asked_s, settings.retry_after_cap_s))
