"""The addresses that webhooks may have. Pure."""

from urllib.parse import urlsplit

from outrider.errors import InvalidInput, InvalidUrl
from outrider.urls import resolve

LONGEST_URL = 2_000


def webhook_address(text: str) -> str:
    """The address in the form for requests; raises InvalidInput with the reason."""
    try:
        address = resolve(text.strip() if len(text) <= LONGEST_URL else "")
        parts = urlsplit(address)
    except (InvalidUrl, ValueError):
        raise InvalidInput(f"{text[:200]!r} is no address such as https://cms.example/outrider") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InvalidInput(f"{text[:200]!r} is no address such as https://cms.example/outrider")
    if parts.username is not None or parts.password is not None or "@" in text.split("/")[2]:
        raise InvalidInput("the address of a webhook has no user and no password: deliveries are signed")
    if len(address.encode()) > LONGEST_URL:
        raise InvalidInput(f"the address of a webhook has at most {LONGEST_URL:,} bytes")
    return address
