"""No command sends requests to the public web without a contact (SEC-01)."""

from collections.abc import Iterable

from outrider.errors import InvalidInput
from outrider.fetch.contact import contacts_in, needs_contact
from outrider.fetch.options import FetchOptions
from outrider.fetch.target import read_target

_HOW = (
    "give your e-mail address or web page with --contact (CONTACT=… behind `make crawl`), "
    "in OUTRIDER_CONTACT, or as `contact` in outrider.toml"
)


def require_contact(options: FetchOptions, urls: Iterable[str]) -> None:
    """Raises InvalidInput, with what to set, if a URL is on the public web and no contact is set."""
    if not options.is_anonymous:
        return
    url = next((url for url in urls if _is_public(url, options)), None)
    if url is not None:
        raise InvalidInput(f"{url} is on the public web, and {_missing(options)}: {_HOW}")


def _is_public(url: str, options: FetchOptions) -> bool:
    """False for a URL that cannot be requested, which another check reports."""
    found = read_target(url)
    return found is not None and needs_contact(found[0].host, options.resolve)


def _missing(options: FetchOptions) -> str:
    given = options.user_agent if contacts_in(options.user_agent) else options.contact
    if given.strip():
        return f"{given.strip()!r} is an example and not a contact"
    if options.user_agent.strip():
        return "OUTRIDER_USER_AGENT names no contact"
    return "no contact is set"
