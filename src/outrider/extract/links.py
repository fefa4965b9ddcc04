"""Resolve and normalise the links of a page."""

from collections.abc import Iterable

from outrider.errors import InvalidUrl
from outrider.urls import normalize, resolve


def normalized_links(hrefs: Iterable[str], base: str) -> list[str]:
    """The normalised http and https URLs of `hrefs`, each once, in order."""
    links: dict[str, None] = {}
    for href in hrefs:
        if link := normalized_link(href, base):
            links[link] = None
    return list(links)


def normalized_link(href: str | None, base: str) -> str | None:
    """The normalised URL of one `href`, or None if it is no http or https URL."""
    if not href:
        return None
    try:
        return normalize(href, base)
    except InvalidUrl:
        return None


def base_of(declared: Iterable[str], url: str) -> str:
    """The base URL of the links: the first <base> with an http or https URL, else the URL of the page."""
    for href in declared:
        try:
            return resolve(href, url)
        except InvalidUrl:
            continue
    return url
