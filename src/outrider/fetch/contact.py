"""The contact that a User-Agent names, and which hosts may be asked without one (SEC-01). Pure.

A site's owner must be able to reach the person who crawls. So a host on the public web is asked only when the
User-Agent carries an e-mail address or a web address that its user gave. Hosts that nobody else can own need
none: private addresses, names that a setting maps to one, and names that public DNS never has.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from outrider.fetch.guard import is_address, is_permitted
from outrider.fetch.names import NameRule, address_for

PLACEHOLDER = "https://outrider.example/bot"  # all that hosts of our own are told where no contact is set

_CONTACT = re.compile(
    r"https?://(?P<site>[^\s/?#()<>\[\]\"',;:@]{1,253})(?::\d{1,5})?(?:[/?#][^\s()<>\"',;]{0,500})?"
    r"|[A-Za-z0-9._%+-]{1,64}@(?P<mail>[A-Za-z0-9.-]{1,253})"
)
_DOMAIN = re.compile(r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.)+[^\W\d_](?:[\w-]{0,61}[^\W_])?")
_EXAMPLES = ("example.com", "example.net", "example.org")
# Top-level names that are kept free for tests and for networks of one's own (RFC 2606, 6761, 6762, 8375).
_OWN_NAMES = ("test", "example", "invalid", "localhost", "local", "internal", "home.arpa")


def contacts_in(text: str) -> list[tuple[str, str]]:
    """Every e-mail address and web address in a text, each with its domain."""
    found = ((match[0], match["site"] or match["mail"]) for match in _CONTACT.finditer(text))
    return [(contact, domain.lower()) for contact, domain in found if _DOMAIN.fullmatch(domain)]


def is_contact(text: str) -> bool:
    """Is the whole text one e-mail address or web address?"""
    found = contacts_in(text)
    return len(found) == 1 and found[0][0] == text.removeprefix("mailto:")


def is_placeholder(domain: str) -> bool:
    """Is it a domain that stands in examples and belongs to nobody?"""
    return _is_within(domain, _EXAMPLES) or _is_within(domain, _OWN_NAMES)


def usable_contact(agent: str) -> str | None:
    """The first contact of a User-Agent that can be somebody's."""
    return next((contact for contact, domain in contacts_in(agent) if not is_placeholder(domain)), None)


@lru_cache(maxsize=10_000)
def needs_contact(host: str, rules: tuple[NameRule, ...] = ()) -> bool:
    """May this host, without its port, be somebody else's?"""
    name = host.strip("[]").rstrip(".").lower()
    address = name if is_address(name) else address_for(name, rules)
    if address is not None:
        return is_permitted(address)
    return "." in name and not _is_within(name, _OWN_NAMES)


def _is_within(name: str, domains: Sequence[str]) -> bool:
    return any(name == domain or name.endswith(f".{domain}") for domain in domains)
