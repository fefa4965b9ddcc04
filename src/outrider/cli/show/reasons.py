"""What the words of the database mean to people, and what they can do about it. Pure."""

from outrider.fetch.tls_failures import MEANINGS
from outrider.urls import host_of
from outrider.wording import words

_FAULTS = {
    "dns_failure": "its host name does not resolve",
    "connection_refused": "nothing is listening there (connection refused)",
    "connection_reset": "the server hangs up",
    "host_unreachable": "the host cannot be reached",
    "timeout": "it does not answer in time",
    **{failure.value: meaning for failure, meaning in MEANINGS.items()},
    "robots_blocked": "its robots.txt disallows it (--ignore-robots is for sites you own)",
    "not_found": "there is no such page (404)",
    "gone": "the page was taken away (410)",
    "forbidden": "the server refuses to show it (401, 403 or 451)",
    "unsupported_content_type": "it is not an HTML page",
    "binary_url": "its name is that of a file, not of a page",
    "no_contact": "no contact is set, and it is on the public web (see OUTRIDER_CONTACT)",
    "too_large": "it is larger than OUTRIDER_MAX_BODY allows",
    "redirect_loop": "it redirects in a circle",
    "too_many_redirects": "it redirects too often",
    "redirect_to_other_domain": "it redirects to another domain (OUTRIDER_REDIRECT_SCOPE=any follows it)",
    "host_down": "the host keeps failing and is left alone for a while",
    "host_limit": "its host has had its share of pages (--max-pages-per-host)",
    "poison": "it took down every worker that fetched it",
}

_SKIPPED = {
    "depth": "beyond depth {depth}: raise it with --depth",
    "scope": "outside the scope: widen it with --scope or --allow-domain",
    "nofollow": "marked nofollow",
    "invalid": "that lead to no web address",
    "binary_url": "to files that are no pages",
    "asset_url": "to styles, scripts and icons",
    "action_url": "to log in, search or buy",
    "share_url": "to share buttons and advertising",
    "feed": "to feeds, which `outrider watch` reads",
    "trap": "into URL spaces without end",
}


_BROKEN = (
    "not_found",
    "gone",
    "forbidden",
    "redirect_loop",
    "too_many_redirects",
    "unexpected_status",
    "max_retries:",
)


def is_broken_link(reason: str) -> bool:
    """Whether somebody would want to repair the page that links there."""
    return reason.startswith(_BROKEN)


def fault(url: str, reason: str, leads_to: str | None = None) -> str:
    """Why a URL could not be fetched, to stand after its address and a colon."""
    reason = reason.removeprefix("max_retries:")
    if reason == "blocked_address":
        return f"its address is not public (OUTRIDER_ALLOW_PRIVATE={_network(url)} allows it)"
    if reason == "redirect_out_of_scope":
        target = leads_to or "another site"
        return (
            f"it redirects to {target}, out of the scope of this crawl "
            f"(`outrider crawl {leads_to or 'URL'}` crawls that, --scope any goes anywhere)"
        )
    if reason == "redirect_unconfirmed":
        return f"it redirects to {leads_to or 'another address'} for now, and what was fetched before is kept"
    if reason.startswith(("http_", "unexpected_status_")):
        return f"the server answers {reason.rpartition('_')[2]}"
    return meaning(reason) or words(reason)


def meaning(reason: str) -> str | None:
    """What a word says about the server or the page, where the word alone says too little."""
    return _FAULTS.get(reason)


def skipped(reason: str, depth: int) -> str:
    """Why links were not followed, to stand after their number."""
    return _SKIPPED.get(reason, f"left out ({words(reason)})").format(depth=depth)


def _network(url: str) -> str:
    host = host_of(url)
    if host.startswith("["):
        return f"{host.strip('[]')}/128"
    is_address = host.replace(".", "").isdigit()
    return f"{host}/32" if is_address else "the network of that address"
