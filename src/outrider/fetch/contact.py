"""The contact in a User-Agent, and which hosts may be requested without one (SEC-01). Pure.

The owner of a site must be able to reach the operator of the crawler. So a host on the public web gets a
request only when the User-Agent has an e-mail address or a web address of the operator. Hosts that cannot be
public need none: private addresses, names that a setting maps to one, and names that public DNS never has.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from outrider.fetch.guard import is_address, is_permitted
from outrider.fetch.names import NameRule, address_for

PLACEHOLDER = "https://outrider.example/bot"  # sent to private hosts when no contact is set

_CONTACT = re.compile(
    r"https?://(?P<site>[^\s/?#()<>\[\]\"',;:@]{1,253})(?::\d{1,5})?(?:[/?#][^\s()<>\"',;]{0,500})?"
    r"|[A-Za-z0-9._%+-]{1,64}@(?P<mail>[A-Za-z0-9.-]{1,253})"
)
_DOMAIN = re.compile(r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.)+[^\W\d_](?:[\w-]{0,61}[^\W_])?")
_EXAMPLES = ("example.com", "example.net", "example.org")
# Top-level names that are reserved for tests and private networks (RFC 2606, 6761, 6762, 8375).
_OWN_NAMES = ("test", "example", "invalid", "localhost", "local", "internal", "home.arpa")


def contacts_in(text: str) -> list[tuple[str, str]]:
    """Every e-mail address and web address in a text, each with its domain."""
    found = ((match[0], match["site"] or match["mail"]) for match in _CONTACT.finditer(text))
    return [(contact, domain.lower()) for contact, domain in found if _DOMAIN.fullmatch(domain)]


def is_contact(text: str) -> bool:
    """Whether the whole text is one e-mail address or web address."""
    found = contacts_in(text)
    return len(found) == 1 and found[0][0] == text.removeprefix("mailto:")


def is_placeholder(domain: str) -> bool:
    """Whether the domain is reserved for examples."""
    return _is_within(domain, _EXAMPLES) or _is_within(domain, _OWN_NAMES)


def usable_contact(agent: str) -> str | None:
    """The first contact of a User-Agent that is no placeholder."""
    return next((contact for contact, domain in contacts_in(agent) if not is_placeholder(domain)), None)


@lru_cache(maxsize=10_000)
def needs_contact(host: str, rules: tuple[NameRule, ...] = ()) -> bool:
    """Whether this host, given without its port, may be on the public web."""
    name = host.strip("[]").rstrip(".").lower()
    address = name if is_address(name) else address_for(name, rules)
    if address is not None:
        return is_permitted(address)
    return "." in name and not _is_within(name, _OWN_NAMES)


def _is_within(name: str, domains: Sequence[str]) -> bool:
    return any(name == domain or name.endswith(f".{domain}") for domain in domains)
