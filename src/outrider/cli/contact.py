"""No command sends requests to the public web without a contact (SEC-01)."""

from collections.abc import Iterable

from outrider.fetch.options import FetchOptions
from outrider.services.crawl.contact import check_contact

_HOW = (
    "give your e-mail address or web page with --contact (CONTACT=… behind `make crawl`), "
    "in OUTRIDER_CONTACT, or as `contact` in outrider.toml"
)


def require_contact(options: FetchOptions, urls: Iterable[str]) -> None:
    """Raises InvalidInput, with what to set, if a URL is on the public web and no contact is set."""
    check_contact(options, urls, _HOW)
