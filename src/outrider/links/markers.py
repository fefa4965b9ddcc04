"""Signs of challenges, parked domains, log-in pages and missing pages. Pure tables of words.

A marker is a phrase that only such a page has. The list is short on purpose: each entry was seen on many
hosts, and an unknown challenge still answers 403, 429 or 503, which is never `dead` either.
"""

import re
from collections.abc import Mapping

from outrider.links.evidence import Wall

# A header that only a challenge or a block carries. An empty value: any value counts.
_CHALLENGE_HEADERS: Mapping[str, str] = {
    "cf-mitigated": "challenge",
    "x-datadome": "",
    "x-dd-b": "",
    "x-sucuri-block": "",
    "x-amzn-waf-action": "",
    "x-px-block": "",
    "x-kpsdk-ct": "",
}
_CHALLENGES = (
    "just a moment...",
    "just a moment…",
    "attention required! | cloudflare",
    "cf-browser-verification",
    "cf-challenge",
    "challenge-platform",
    "checking your browser",
    "checking if the site connection is secure",
    "verify you are human",
    "verify that you are human",
    "verifying you are human",
    "verify you are not a robot",
    "prove you are human",
    "are you a robot",
    "you have been blocked",
    "enable javascript and cookies to continue",
    "please enable cookies and javascript",
    "captcha-delivery.com",
    "px-captcha",
    "g-recaptcha",
    "h-captcha",
    "hcaptcha.com/1/api.js",
    "cf-turnstile",
    "_incapsula_resource",
    "incapsula incident id",
    "ddos protection by",
    "ddos-guard",
    "sucuri website firewall",
    "automated access",
    "automated requests",
    "automated queries",
    "unusual traffic",
    "suspicious activity",
    "bot detection",
    "pardon our interruption",
    "request unsuccessful. incapsula",
    "errors.edgesuite.net",
    "access to this page has been denied",
    "perimeterx",
    "anubis_challenge",
)
# On a page that answers 200 these may be part of an ordinary form, so they count on error pages only.
_ON_ERROR_PAGES_ONLY = frozenset({"g-recaptcha", "h-captcha", "cf-turnstile", "hcaptcha.com/1/api.js"})
_FEW_WORDS = 120  # a challenge says little; an article about challenges says more
_PARKED = (
    "this domain is for sale",
    "this domain may be for sale",
    "domain is available for sale",
    "domain name is for sale",
    "the domain is for sale",
    "buy this domain",
    "purchase this domain",
    "make an offer on this domain",
    "this domain is parked",
    "domain is parked free",
    "parked free, courtesy of",
    "this domain has expired",
    "this domain name has expired",
    "domain has been registered",
    "sedoparking.com",
    "parkingcrew.net",
    "bodis.com",
    "parklogic.com",
    "hugedomains.com",
    "afternic.com/forsale",
    "dan.com/buy-domain",
    "domain parking",
    "related searches",
)
_WEAK_PARKED = frozenset({"related searches", "bodis.com", "domain parking", "domain has been registered"})
_PARKED_HOSTS = ("hugedomains.com", "afternic.com", "dan.com", "sedo.com", "sedoparking.com", "bodis.com")
_PARKED_WORDS = 250
_MISSING = re.compile(
    r"\b404\b|\bnot found\b|\bno longer (?:exists|available)\b|\bdoes ?n[o']t exist\b"
    r"|\bpage (?:is )?missing\b|\bnicht gefunden\b|\bintrouvable\b|\bno encontrada\b"
    r"|\bnon trovata\b|\bnie znaleziono\b",
    re.IGNORECASE,
)
_LOGIN_PATH = re.compile(
    r"/(?:log-?in|log-?on|sign-?in|signin|sso|oauth2?|saml2?|authenticate|wp-login\.php|users/sign_in"
    r"|accounts/login|auth/login|openid|session/new)(?:[/?#.]|$)",
    re.IGNORECASE,
)


def wall_in_headers(headers: Mapping[str, str]) -> str | None:
    """The header of a challenge, if there is one."""
    for name, value in _CHALLENGE_HEADERS.items():
        found = headers.get(name)
        if found is not None and (not value or value in found.lower()):
            return f"header {name}"
    return None


def wall_in_text(html: str, words: int, *, is_error: bool) -> tuple[Wall, str] | None:
    """The wall that this page is, and the words that say so. `words`: how many visible words it has."""
    text = html.lower()
    if words <= _FEW_WORDS or is_error:
        for marker in _CHALLENGES:
            if marker in text and (is_error or marker not in _ON_ERROR_PAGES_ONLY):
                return Wall.CHALLENGE, marker
    if words <= _PARKED_WORDS and not is_error:
        found = [marker for marker in _PARKED if marker in text]
        if len(found) > 1 or (found and found[0] not in _WEAK_PARKED):
            return Wall.PARKED, found[0]
    return None


def says_missing(title: str | None) -> bool:
    """Whether a title says that there is no such page."""
    return title is not None and _MISSING.search(title) is not None


def is_login_path(path: str) -> bool:
    """Whether a path is that of a log-in page."""
    return _LOGIN_PATH.search(path) is not None


def is_parking_host(host: str) -> bool:
    """Whether a host sells and parks domains."""
    return any(host == name or host.endswith(f".{name}") for name in _PARKED_HOSTS)
