"""From what is written in `href` to the addresses a page links to."""

from collections.abc import Iterable

from outrider.errors import InvalidUrl
from outrider.urls import normalize, resolve


def normalized_links(hrefs: Iterable[str], base: str) -> list[str]:
    """The addresses behind `hrefs`, normalised, each once, in order; without what is not http or https."""
    links: dict[str, None] = {}
    for href in hrefs:
        if link := normalized_link(href, base):
            links[link] = None
    return list(links)


def normalized_link(href: str | None, base: str) -> str | None:
    """The address behind one `href`, or None where there is none to go to."""
    if not href:
        return None
    try:
        return normalize(href, base)
    except InvalidUrl:
        return None


def base_of(declared: Iterable[str], url: str) -> str:
    """What a page's links resolve against: the first <base> that leads into the web, else the page itself."""
    for href in declared:
        try:
            return resolve(href, url)
        except InvalidUrl:
            continue
    return url
