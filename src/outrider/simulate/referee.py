"""Was the crawler polite? Judged by the sites' own log alone. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from outrider.simulate.server import Asked
from outrider.simulate.sites import Site
from outrider.simulate.web import Logged

SLACK_S = 0.001


class Rule(StrEnum):
    """What a site may expect."""

    ALONE = "one request at a time"
    DELAY = "the delay after each answer"
    RETRY_AFTER = "rest for as long as it asked"
    ROBOTS = "nothing its robots.txt forbids"


@dataclass(frozen=True, slots=True)
class Violation:
    rule: Rule
    host: str
    path: str
    at_s: float
    early_s: float = 0.0


def violations(
    log: Iterable[Logged], sites: Iterable[Site], *, delay_s: float, longest_pause_s: float
) -> list[Violation]:
    """Every rule broken. `delay_s` is for sites that ask for none; none is owed a longer pause."""
    of_host: dict[str, list[Logged]] = defaultdict(list)
    for request in log:
        of_host[request.host].append(request)
    found: list[Violation] = []
    for site in sites:
        requests = sorted(of_host.get(site.host, ()), key=lambda request: request.began_s)
        found += _judge(site, requests, delay_s, longest_pause_s)
    return found


def _judge(
    site: Site, requests: Sequence[Logged], delay_s: float, longest_pause_s: float
) -> Iterable[Violation]:
    has_said = False  # what its robots.txt asks for
    for place, request in enumerate(requests):
        if site.has_private_pages and request.asked is Asked.PRIVATE:
            yield Violation(Rule.ROBOTS, request.host, request.path, request.began_s)
        if place > 0:
            before = requests[place - 1]
            has_said = has_said or (before.asked is Asked.ROBOTS and before.status == 200)
            asked_s = site.crawl_delay_s if has_said and site.crawl_delay_s is not None else delay_s
            pause_s = min(before.retry_after_s or 0.0, longest_pause_s)
            yield from _pair(before, request, asked_s, pause_s)


def _pair(before: Logged, request: Logged, delay_s: float, pause_s: float) -> Iterable[Violation]:
    gap_s = request.began_s - before.ended_s
    for rule, needed_s in ((Rule.ALONE, 0.0), (Rule.DELAY, delay_s), (Rule.RETRY_AFTER, pause_s)):
        if gap_s < needed_s - SLACK_S:
            yield Violation(rule, request.host, request.path, request.began_s, needed_s - gap_s)
            return
