"""Which redirects of pages are followed, and when a page that we have is believed to have moved. Pure."""

from dataclasses import dataclass
from datetime import timedelta

from outrider.crawl.plan import CrawlPlan
from outrider.fetch.hops import PERMANENT_STATUSES, RedirectScope
from outrider.fetch.outcome import Redirected
from outrider.frontier.dead_reason import DeadReason
from outrider.frontier.model import Entry, UrlOrigin
from outrider.frontier.redirect_hops import LONGEST_URL, PageRedirects
from outrider.urls import host_of, registrable_domain

LATER = timedelta(hours=12)  # two answers around midnight are one night, not two days


@dataclass(frozen=True, slots=True)
class Stay:
    """A page that we have redirects, perhaps not for good: it stays as it is.

    It is asked for again in `wait_s`; None: when somebody asks for it.
    """

    wait_s: float | None
    times: int = 1  # that it redirected in a row


def refusal_of_target(
    entry: Entry, target: str, plan: CrawlPlan, general: RedirectScope
) -> DeadReason | None:
    """Why a redirect of a page is not followed to `target`; None when it is.

    An announced page is followed to any host, because the announcement names the page and not its host. A
    page that links led to, and the start page of a crawl, stay within the scope of the crawl.
    """
    allowed = plan.policy.redirect_scope or general
    if allowed is RedirectScope.SAME_DOMAIN and _domain_of(target) != _domain_of(entry.url):
        return DeadReason.REDIRECT_TO_OTHER_DOMAIN
    if is_announced(entry, plan) or plan.scope.admits(target):
        return None
    return DeadReason.REDIRECT_OUT_OF_SCOPE


def is_announced(entry: Entry, plan: CrawlPlan) -> bool:
    """Whether a feed, a sitemap or a person named this very page: such a page has depth 0.

    An address that a person gave to a source that follows links is a start page: what is found from there
    is bounded by the scope around it, and so is the start page itself.
    """
    is_start = entry.origin is UrlOrigin.MANUAL and plan.follow.inside and bool(plan.scope.seeds)
    return entry.depth == 0 and not is_start


def _domain_of(url: str) -> str:
    """The registrable domain, or the host itself where there is none (addresses, localhost)."""
    host = host_of(url)
    return registrable_domain(host) or host


def has_moved(redirect: Redirected, known: PageRedirects) -> bool:
    """Whether a page that once answered has moved for good, by what it answered since.

    Only a permanent redirect to the same target, met again on a later day, says so. Anything else may be a
    night of maintenance, a cookie wall or a mistake of an hour, and the page would be lost by it.
    """
    if redirect.exchange.status not in PERMANENT_STATUSES:
        return False
    target = (redirect.target or redirect.location)[:LONGEST_URL]
    return any(
        seen.to_url == target
        and seen.status in PERMANENT_STATUSES
        and seen.first_seen_at.date() < known.now.date()
        and known.now - seen.first_seen_at >= LATER
        for seen in known.seen
    )
