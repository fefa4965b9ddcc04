"""Which redirects of pages are followed. Pure."""

from outrider.crawl.policy import Plan
from outrider.fetch.hops import RedirectScope
from outrider.frontier.model import Entry, Origin
from outrider.urls import host_of, registrable_domain

OUT_OF_SCOPE = "redirect_out_of_scope"
OTHER_DOMAIN = "redirect_to_other_domain"


def refusal_of_target(entry: Entry, target: str, plan: Plan, general: RedirectScope) -> str | None:
    """Why a redirect of a page is not followed to `target`; None when it is.

    An announced page is followed to any host, because the announcement names the page and not its host. A
    page that links led to, and the start page of a crawl, stay within the scope of the crawl.
    """
    allowed = plan.policy.redirect_scope or general
    if allowed is RedirectScope.SAME_DOMAIN and _domain_of(target) != _domain_of(entry.url):
        return OTHER_DOMAIN
    if is_announced(entry, plan) or plan.scope.admits(target):
        return None
    return OUT_OF_SCOPE


def is_announced(entry: Entry, plan: Plan) -> bool:
    """Whether a feed, a sitemap or a person named this very page: such a page has depth 0.

    An address that a person gave to a source that follows links is a start page: what is found from there
    is bounded by the scope around it, and so is the start page itself.
    """
    is_start = entry.origin is Origin.MANUAL and plan.follow.inside and bool(plan.scope.seeds)
    return entry.depth == 0 and not is_start


def _domain_of(url: str) -> str:
    """The registrable domain, or the host itself where there is none (addresses, localhost)."""
    host = host_of(url)
    return registrable_domain(host) or host
