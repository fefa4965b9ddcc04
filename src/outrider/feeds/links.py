"""Chooses the address of an entry or a feed among its links."""

from dataclasses import dataclass

from outrider.feeds.addresses import web_address
from outrider.feeds.limits import MAX_LISTED
from outrider.feeds.markup import Element
from outrider.feeds.strings import line
from outrider.feeds.values import text_of

_HTML_TYPES = (None, "", "text/html", "application/xhtml+xml")


@dataclass(frozen=True, slots=True)
class Link:
    """One <link> with an absolute address."""

    url: str
    rel: str
    type: str | None
    length: str | None
    is_text: bool  # the address is between the tags, as in RSS

    @property
    def is_for_readers(self) -> bool:
        return self.type in _HTML_TYPES


def links_of(element: Element, base: str) -> list[Link]:
    """The usable links among an element's children, in order."""
    found = []
    for child in element.all("link"):
        href = child.get("href") or child.get("rdf:resource")
        written = href if href is not None or child.is_cut else text_of(child)
        if url := web_address(written, base_of(child, base)):
            rel = (line(child.get("rel"), 100) or "alternate").lower().rpartition("/")[2]
            kind = line(child.get("type"), 100)
            found.append(Link(url, rel, kind and kind.lower(), child.get("length"), href is None))
        if len(found) == MAX_LISTED:
            break
    if not found and (url := web_address(element.get("href"), base_of(element, base))):  # CDF
        found.append(Link(url, "alternate", None, None, is_text=False))
    return found


def page_link(links: list[Link]) -> str | None:
    """The page of the entry: the plain RSS link, else an HTML alternate, else any alternate."""
    plain = [link for link in links if link.is_text]
    alternates = [link for link in links if link.rel == "alternate" and not link.is_text]
    for_readers = [link for link in alternates if link.is_for_readers]
    for candidates in (plain, for_readers, alternates):
        if candidates:
            return candidates[0].url
    return None


def link_to(links: list[Link], rel: str) -> str | None:
    return next((link.url for link in links if link.rel == rel), None)


def base_of(element: Element, base: str) -> str:
    """The base of relative addresses in an element."""
    for declared in element.base:
        base = web_address(declared, base) or base
    return base
