"""No request goes to the public web without a contact (SEC-01)."""

from collections.abc import Iterable

from outrider.errors import InvalidInput
from outrider.fetch.contact import contacts_in, needs_contact
from outrider.fetch.options import FetchOptions
from outrider.fetch.target import read_target

IN_SETTINGS = "set OUTRIDER_CONTACT to an e-mail address or a web page, or `contact` in outrider.toml"


def check_contact(options: FetchOptions, urls: Iterable[str], how: str = IN_SETTINGS) -> None:
    """Raise InvalidInput, with what to set, if a URL is on the public web and no contact is set."""
    if not options.is_anonymous:
        return
    url = next((url for url in urls if _is_public(url, options)), None)
    if url is not None:
        raise InvalidInput(f"{url} is on the public web, and {missing_contact(options)}: {how}")


def _is_public(url: str, options: FetchOptions) -> bool:
    """False for a URL that cannot be requested, which another check reports."""
    found = read_target(url)
    return found is not None and needs_contact(found[0].host, options.resolve)


def missing_contact(options: FetchOptions) -> str:
    """Why the settings have no usable contact, as a part of a sentence."""
    given = options.user_agent if contacts_in(options.user_agent) else options.contact
    if given.strip():
        return f"{given.strip()!r} is an example and not a contact"
    if options.user_agent.strip():
        return "OUTRIDER_USER_AGENT names no contact"
    return "no contact is set"
