"""Which redirects of pages are followed, and when a stored page counts as moved. Pure."""

from dataclasses import dataclass
from datetime import timedelta

from outrider.crawl.plan import CrawlPlan
from outrider.fetch.hops import PERMANENT_STATUSES, RedirectScope
from outrider.fetch.outcome import Redirected
from outrider.frontier.dead_reason import DeadReason
from outrider.frontier.model import Entry, UrlOrigin
from outrider.frontier.redirect_hops import LONGEST_URL, PageRedirects
from outrider.urls import host_of, registrable_domain

LATER = timedelta(hours=12)  # two answers around midnight do not count as two days


@dataclass(frozen=True, slots=True)
class KeepStoredPage:
    """A stored page redirects, perhaps not for good: the page stays as it is.

    The crawler requests it again in `wait_s`; None: only when an operator requeues it.
    """

    wait_s: float | None
    times: int = 1  # redirects in a row


def refusal_of_target(
    entry: Entry, target: str, plan: CrawlPlan, general: RedirectScope
) -> DeadReason | None:
    """Why a redirect of a page is not followed to `target`; None when it is.

    An announced page is followed to any host, because the announcement names the page and not its host. A
    page found by links, and the start page of a crawl, stay within the scope of the crawl.
    """
    allowed = plan.policy.redirect_scope or general
    if allowed is RedirectScope.SAME_DOMAIN and _domain_of(target) != _domain_of(entry.url):
        return DeadReason.REDIRECT_TO_OTHER_DOMAIN
    if is_announced(entry, plan) or plan.scope.admits(target):
        return None
    return DeadReason.REDIRECT_OUT_OF_SCOPE


def is_announced(entry: Entry, plan: CrawlPlan) -> bool:
    """Whether a feed, a sitemap or an operator named this page: such a page has depth 0.

    A URL that an operator adds to a source that follows links is a start page: the scope bounds the start
    page like the pages found from it.
    """
    is_start = entry.origin is UrlOrigin.MANUAL and plan.follow.inside and bool(plan.scope.seeds)
    return entry.depth == 0 and not is_start


def _domain_of(url: str) -> str:
    """The registrable domain, or the host itself where there is none (addresses, localhost)."""
    host = host_of(url)
    return registrable_domain(host) or host


def has_moved(redirect: Redirected, known: PageRedirects) -> bool:
    """Whether a page that answered before has moved for good.

    Only a permanent redirect to the same target, seen again on a later day, proves it. Any other redirect
    may be maintenance, a cookie wall or a short mistake, and following it would lose the page.
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
