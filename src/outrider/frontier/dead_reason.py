"""The catalogue of dead reasons: the values of `url.reason` and `url_source.reason` for dead entries."""

from outrider.described import DescribedName
from outrider.fetch.outcome import Failure, Refusal


class DeadReason(DescribedName):
    """Why an entry is dead, where the reason is one fixed name."""

    NOT_FOUND = "not_found", "there is no such page (404)"
    GONE = "gone", "the page was taken away (410)"
    FORBIDDEN = "forbidden", "the server refuses to show it (401, 403 or 451)"
    UNSUPPORTED_CONTENT_TYPE = "unsupported_content_type", "it is not an HTML page"
    TOO_LARGE = Failure.TOO_LARGE.value, Failure.TOO_LARGE.sentence
    HEADERS_TOO_LARGE = Failure.HEADERS_TOO_LARGE.value, Failure.HEADERS_TOO_LARGE.sentence
    BLOCKED_ADDRESS = Refusal.BLOCKED_ADDRESS.value, Refusal.BLOCKED_ADDRESS.sentence
    INVALID_URL = Refusal.INVALID_URL.value, Refusal.INVALID_URL.sentence
    NO_CONTACT = Refusal.NO_CONTACT.value, Refusal.NO_CONTACT.sentence
    ROBOTS_BLOCKED = (
        "robots_blocked",
        "its robots.txt disallows it (--ignore-robots is for sites you own)",
    )
    INVALID_REDIRECT = "invalid_redirect", "it redirects to something that is no web address"
    REDIRECT = "redirect", "it redirects, and the address it leads to is queued as an entry of its own"
    REDIRECT_LOOP = "redirect_loop", "it redirects in a circle"
    TOO_MANY_REDIRECTS = "too_many_redirects", "it redirects too often"
    REDIRECT_NOT_FOLLOWED = "redirect_not_followed", "it redirects, and redirects are not followed"
    REDIRECT_OUT_OF_SCOPE = (
        "redirect_out_of_scope",
        "it redirects to {target}, out of the scope of this crawl "
        "(`outrider crawl {target_url}` crawls that, --scope any goes anywhere)",
    )
    REDIRECT_TO_OTHER_DOMAIN = (
        "redirect_to_other_domain",
        "it redirects to another domain (OUTRIDER_REDIRECT_SCOPE=any follows it)",
    )
    OUT_OF_SCOPE = "out_of_scope", "it lies outside the scope or too deep, by the rules that hold now"
    HOST_LIMIT = "host_limit", "its host has had its share of pages (--max-pages-per-host)"
    BINARY_URL = "binary_url", "its name is that of a file, not of a page"
    ASSET_URL = "asset_url", "it is a style, a script or an icon"
    ACTION_URL = "action_url", "it is a page to log in, search or buy"
    SHARE_URL = "share_url", "it is a share button or advertising"
    TRAP = "trap", "it belongs to a URL space without end"
    POISON = "poison", "it took down every worker that fetched it"
    NO_CHANNEL = "no_channel", "the feed or sitemap of this entry was removed"
    NOT_POLLED = "not_polled", "polling is switched off, or its source does not want this feed or sitemap"
    NO_LINK = "no_link", "no stored link has this address any more"
    CANCELLED = "cancelled", "its run was cancelled before it was fetched; the next run fetches it"
    NOT_A_CHANNEL = "not_a_channel", "it is neither a feed nor a sitemap with entries"


class DeadReasonPrefix(DescribedName):
    """How a dead reason begins that ends with a variable part."""

    MAX_RETRIES = (
        "max_retries:",
        "the last of OUTRIDER_MAX_ATTEMPTS attempts failed, for the reason after the colon",
    )
    UNEXPECTED_STATUS = "unexpected_status_", "the server answers {status}"


def after_max_retries(reason: str) -> str:
    """The dead reason of an entry whose last attempt failed for `reason`."""
    return DeadReasonPrefix.MAX_RETRIES + reason


def unexpected_status(status: int) -> str:
    """The dead reason of an entry whose server answers a status that has no meaning here."""
    return f"{DeadReasonPrefix.UNEXPECTED_STATUS}{status}"
